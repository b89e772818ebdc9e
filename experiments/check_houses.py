"""Makes many houses and looks for problems: every one is a bug.

    .venv/bin/python experiments/check_houses.py --houses 200

Geometry only, no pictures. Prints the problems and the figures of the houses, and exits with 1 if there was a
problem. A few seconds a house on one core.
"""

import argparse
import sys
from multiprocessing import get_context

import numpy as np

from helpanna.cli.console import progress
from helpanna.errors import InputError
from helpanna.worlds.houses.build import house_world
from helpanna.worlds.houses.checks import check_house
from helpanna.worlds.houses.furnishing_checks import check_furnishing
from helpanna.worlds.houses.generate import make_house


def examine(name: str) -> tuple[list[str], dict[str, float]]:
    """The problems of one house, and its figures."""
    try:
        house = make_house(name)
    except InputError as error:
        return [str(error)], {}
    world = house_world(house)
    figures = {
        "locations": world.location_count,
        "rooms": len(world.rooms),
        "storeys": int(world.floors.max()) + 1,
        "objects": len(world.object_names),
        "object types": len(set(world.object_types)),
        "mean edge (m)": float(world.edge_lengths().mean()),
        "shortest edge (m)": float(world.edge_lengths().min()),
        "mean neighbours": 2 * len(world.edges) / world.location_count,
    }
    return check_house(house) + check_furnishing(house), figures


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes many houses and looks for problems.")
    parser.add_argument("--houses", type=int, default=200, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="of the houses")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    options = parser.parse_args()
    names = [f"town-{options.seed}-{i}" for i in range(options.houses)]
    problems, rows = 0, []
    with get_context("spawn").Pool(options.workers) as pool, progress() as report:
        for done, (found, figures) in enumerate(pool.imap(examine, names), start=1):
            for problem in found:
                print(problem)
            problems += len(found)
            rows += [figures] if figures else []
            report("houses", done, len(names))
    for key in rows[0]:
        values = [row[key] for row in rows]
        low, middle, high = np.percentile(values, [5, 50, 95])
        print(
            f"{key:17} mean {np.mean(values):7.2f}   5 % {low:7.2f}   median {middle:7.2f}   95 % {high:7.2f}"
        )
    print(f"{len(names)} houses, {problems} problems.")
    sys.exit(problems > 0)


if __name__ == "__main__":
    main()
