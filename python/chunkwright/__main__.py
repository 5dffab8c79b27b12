"""``python -m chunkwright`` is the ``chunkwright`` command."""

from chunkwright.cli import main

if __name__ == "__main__":
    main()
