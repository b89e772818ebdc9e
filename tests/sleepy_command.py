"""A helpanna command whose agents fall asleep: what happens to processes in the middle of a batch?

    python sleepy_command.py MARKS COMMAND...

Each process that runs episodes leaves a file in the folder MARKS, named by its id.
"""

import os
import sys
import time
from pathlib import Path

from helpanna.cli.main import main
from helpanna.evaluation import runner


class Sleeper:
    def begin(self, *_):
        pass

    def act(self, observation):
        (Path(os.environ["MARKS"]) / str(os.getpid())).touch()
        time.sleep(3600)


# Done on import, and so in the workers too: they import this file.
runner.make_agent = lambda *_: Sleeper()

if __name__ == "__main__":
    os.environ["MARKS"] = sys.argv[1]
    main(sys.argv[2:])
