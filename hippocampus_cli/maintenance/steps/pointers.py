from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Planned
from hippocampus_cli.maintenance.snapshot import Snapshot


def verify_all(index: Hierarchy, snapshot: Snapshot) -> Planned:
    return Planned(index)


def verify_changed(index: Hierarchy, snapshot: Snapshot) -> Planned:
    return Planned(index)
