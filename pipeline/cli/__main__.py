"""``python -m pipeline.cli``: the command without its script."""

import sys

from pipeline.cli import main

sys.exit(main())
