"""``python -m sotagraph``, the same as the ``sotagraph`` command."""

from __future__ import annotations

import sys

from sotagraph.cli import main

# Worker processes import this file again; only the first process runs the command.
if __name__ == "__main__":
    sys.exit(main())
