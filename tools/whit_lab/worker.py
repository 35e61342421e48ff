# SPDX-License-Identifier: MIT
"""Runs an experiment in a process of its own, so a crash ends only this experiment.

    python -m whit_lab.worker NAME RESULT [--reduced | --exact]

It writes the files that it read beside the result. Standard output has lines of progress: a share of the work and
words. The last line may be `failed` and the reason.
"""

import json
import sys
import time
import traceback
from pathlib import Path

from whit.errors import WhitError
from whit_lab import registry
from whit_lab.kept import kept, text
from whit_lab.reads import watched

EVERY_S = 0.2  # shortest time between two reports
FAILED = "failed"
READS = ".reads"


def main(name: str, there: Path, *, reduced: bool, exact: bool = False) -> int:
    said_s = 0.0

    def progress(what: str, share: float) -> None:
        nonlocal said_s
        if time.monotonic() - said_s >= EVERY_S:
            said_s = time.monotonic()
            print(f"{share:.4f} {what}", flush=True)

    try:
        with watched() as reads:
            result = registry.find(name).run(progress, reduced=reduced, exact=exact)
    except WhitError as error:
        reason = str(error)
    except Exception as error:
        traceback.print_exc()
        reason = f"{type(error).__name__}: {error}"
    else:
        used = {"files": sorted(reads.files), "programs": sorted(reads.programs)}
        there.with_suffix(READS).write_text(json.dumps(used))
        there.write_text(text(kept(result)))
        return 0
    print(FAILED, " ".join(reason.split()), flush=True)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]), reduced="--reduced" in sys.argv, exact="--exact" in sys.argv))
