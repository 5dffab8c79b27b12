"""Reference implementation of the structure-aware chunker: slow, obvious, independent of the package."""
