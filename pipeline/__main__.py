"""``python -m rubricator``: the command without its script."""

import sys

from pipeline.cli import main

sys.exit(main())
