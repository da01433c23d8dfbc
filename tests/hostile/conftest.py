"""The command, run as in the tests of the command line."""

from __future__ import annotations

from tests.cli.conftest import here as here
from tests.cli.conftest import job as job
from tests.cli.conftest import process as process
from tests.cli.conftest import runtime as runtime
