"""How many generated examples a test looks at, and which."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase
from hypothesis import settings as run_with

# The same examples on each run, unless this is asked for: many more then, and other ones each time.
LONG = bool(os.environ.get("CHUNKWRIGHT_LONG"))


def run(examples: int) -> run_with:
    """A decorator for tests with generated examples."""
    return run_with(
        max_examples=examples * 30 if LONG else examples,
        derandomize=not LONG,
        database=None,
        # Without the time for making a failing example smaller.
        phases=list(Phase) if LONG else [Phase.explicit, Phase.generate],
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
