"""The one door to hippo: what the command line calls, and what a program that imports hippo works with.

>>> from hippocampus_cli import open_workspace
>>> ws = open_workspace("~/agent")
>>> for result in ws.query("deploy command", write=False).results:
...     print(result.path, result.start_line, result.text)

Everything that a workspace can do, a :class:`Workspace` can. Its results are the types that are named here; a name is
imported when it is first used, so that a command loads what it needs and no more.
"""

from __future__ import annotations

from importlib import import_module

from hippocampus_cli.config import Config

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hippocampus_cli.anchors.index import Facts as AnchorFacts
    from hippocampus_cli.anchors.lookup import AnchorHit
    from hippocampus_cli.anchors.store import BuildDone as AnchorsBuilt
    from hippocampus_cli.anchors.store import Looked as AnchorsFound
    from hippocampus_cli.anchors.store import Standing as AnchorsStatus
    from hippocampus_cli.anchors.update import Updated as AnchorsUpdated
    from hippocampus_cli.api.agents import AgentCheck, Agents
    from hippocampus_cli.api.anchors import Anchors
    from hippocampus_cli.api.branches import MergedFile, merge_files
    from hippocampus_cli.api.compaction import Compacted
    from hippocampus_cli.api.context import Context
    from hippocampus_cli.api.end_session import Ended as ContextEnded
    from hippocampus_cli.api.entries import write_report
    from hippocampus_cli.api.mind import Mind
    from hippocampus_cli.api.models import Models
    from hippocampus_cli.api.related import Related
    from hippocampus_cli.api.schedule import Schedule
    from hippocampus_cli.api.workspace import Workspace, open_workspace
    from hippocampus_cli.context.compaction.daily_scores import Scores
    from hippocampus_cli.context.lifecycle.context_session import Completed
    from hippocampus_cli.context.lifecycle.session import ContextSession, EntryType
    from hippocampus_cli.context.lifecycle.session import Priority as ContextPriority
    from hippocampus_cli.context.lifecycle.window import Window
    from hippocampus_cli.context.originals import Original
    from hippocampus_cli.context.session_search import Hit as SessionHit
    from hippocampus_cli.context.transcripts import Format, Message
    from hippocampus_cli.embedding.models.places import Model
    from hippocampus_cli.entries.add import Added
    from hippocampus_cli.entries.adopt import Adopted
    from hippocampus_cli.entries.brief import Brief
    from hippocampus_cli.entries.check import Checked
    from hippocampus_cli.entries.forecast import Forecast
    from hippocampus_cli.entries.graph import Graph, RelatedEntry
    from hippocampus_cli.entries.remember import Remembered
    from hippocampus_cli.entries.select import EntryState
    from hippocampus_cli.entries.select import Shown as EntryShown
    from hippocampus_cli.entries.shared_memory import Received, Shared
    from hippocampus_cli.entries.status import Status
    from hippocampus_cli.entries.tag import Tagged
    from hippocampus_cli.index.repair import Repair
    from hippocampus_cli.integrations.hook_dialects import HookAgent
    from hippocampus_cli.integrations.install import Agent
    from hippocampus_cli.integrations.install import Plan as InstallPlan
    from hippocampus_cli.integrations.loading import Loading
    from hippocampus_cli.maintenance.actions import Kind as ActionKind
    from hippocampus_cli.maintenance.bootstrap import Addition, BootstrapPlan
    from hippocampus_cli.maintenance.forget import Forgot
    from hippocampus_cli.maintenance.history import Record as CycleRecord
    from hippocampus_cli.maintenance.history import name_of as name_of_cycle
    from hippocampus_cli.maintenance.history import undone_cycles
    from hippocampus_cli.maintenance.restore import IndexRestored, Restored
    from hippocampus_cli.maintenance.run_bootstrap import BootstrapReport
    from hippocampus_cli.maintenance.undo import Undone
    from hippocampus_cli.maintenance.upkeep import Outcome
    from hippocampus_cli.mind.answers import Contradiction, Evidence
    from hippocampus_cli.mind.audit import Audit
    from hippocampus_cli.mind.beliefs import Belief
    from hippocampus_cli.mind.episodes import Episode
    from hippocampus_cli.mind.episodes import Problem as MindProblem
    from hippocampus_cli.mind.gate import Refusal, meaning_of
    from hippocampus_cli.mind.held import Held as HeldBelief
    from hippocampus_cli.mind.keep import Kept as MindKept
    from hippocampus_cli.mind.package import Exported, Imported
    from hippocampus_cli.mind.reconsolidation import Review
    from hippocampus_cli.mind.settle import Settled
    from hippocampus_cli.query.results import QueryResult
    from hippocampus_cli.report.health import Health
    from hippocampus_cli.schedule.plan import Plan as SchedulePlan
    from hippocampus_cli.schedule.plan import ScheduleStatus
    from hippocampus_cli.schedule.scheduler import Name as Scheduler
    from hippocampus_cli.search.embed import Embedded
    from hippocampus_cli.watch.watch import Watch
    from hippocampus_cli.workspace.own_files import INDEX
    from hippocampus_cli.workspace.snapshots import Snapshot

_PLACES = {
    "ActionKind": "maintenance.actions:Kind",
    "Added": "entries.add",
    "Addition": "maintenance.bootstrap",
    "Adopted": "entries.adopt",
    "Agent": "integrations.install",
    "HookAgent": "integrations.hook_dialects",
    "AgentCheck": "api.agents",
    "Agents": "api.agents",
    "AnchorFacts": "anchors.index:Facts",
    "AnchorHit": "anchors.lookup",
    "Anchors": "api.anchors",
    "AnchorsBuilt": "anchors.store:BuildDone",
    "AnchorsFound": "anchors.store:Looked",
    "AnchorsStatus": "anchors.store:Standing",
    "AnchorsUpdated": "anchors.update:Updated",
    "BootstrapPlan": "maintenance.bootstrap",
    "Brief": "entries.brief",
    "BootstrapReport": "maintenance.run_bootstrap",
    "Checked": "entries.check",
    "Compacted": "api.compaction",
    "Completed": "context.lifecycle.context_session",
    "Context": "api.context",
    "ContextEnded": "api.end_session:Ended",
    "CycleRecord": "maintenance.history:Record",
    "Embedded": "search.embed",
    "EntryShown": "entries.select:Shown",
    "EntryState": "entries.select",
    "Forecast": "entries.forecast",
    "Forgot": "maintenance.forget",
    "Format": "context.transcripts",
    "Graph": "entries.graph",
    "Health": "report.health",
    "INDEX": "workspace.own_files",
    "IndexRestored": "maintenance.restore",
    "InstallPlan": "integrations.install:Plan",
    "Loading": "integrations.loading",
    "MergedFile": "api.branches",
    "Message": "context.transcripts",
    "Model": "embedding.models.places",
    "Models": "api.models",
    "Original": "context.originals",
    "Outcome": "maintenance.upkeep",
    "QueryResult": "query.results",
    "Related": "api.related",
    "RelatedEntry": "entries.graph",
    "Remembered": "entries.remember",
    "Repair": "index.repair",
    "Restored": "maintenance.restore",
    "SessionHit": "context.session_search:Hit",
    "Schedule": "api.schedule",
    "SchedulePlan": "schedule.plan:Plan",
    "ScheduleStatus": "schedule.plan",
    "Scheduler": "schedule.scheduler:Name",
    "Scores": "context.compaction.daily_scores",
    "Snapshot": "workspace.snapshots",
    "Status": "entries.status",
    "Tagged": "entries.tag",
    "Undone": "maintenance.undo",
    "Watch": "watch.watch",
    "ContextSession": "context.lifecycle.session",
    "EntryType": "context.lifecycle.session",
    "ContextPriority": "context.lifecycle.session:Priority",
    "Window": "context.lifecycle.window",
    "Audit": "mind.audit",
    "Belief": "mind.beliefs",
    "Contradiction": "mind.answers",
    "Episode": "mind.episodes",
    "Evidence": "mind.answers",
    "HeldBelief": "mind.held:Held",
    "MindKept": "mind.keep:Kept",
    "Mind": "api.mind",
    "MindProblem": "mind.episodes:Problem",
    "Refusal": "mind.gate",
    "Exported": "mind.package",
    "Received": "entries.shared_memory",
    "Shared": "entries.shared_memory",
    "Imported": "mind.package",
    "Review": "mind.reconsolidation",
    "Settled": "mind.settle",
    "Workspace": "api.workspace",
    "meaning_of": "mind.gate",
    "merge_files": "api.branches",
    "name_of_cycle": "maintenance.history:name_of",
    "open_workspace": "api.workspace",
    "undone_cycles": "maintenance.history",
    "write_report": "api.entries",
}
"""Where each name is from, below hippocampus_cli, with the name that it has there where that is another."""

__all__ = [
    "INDEX",
    "ActionKind",
    "Added",
    "Addition",
    "Adopted",
    "Agent",
    "AgentCheck",
    "Agents",
    "AnchorFacts",
    "AnchorHit",
    "Anchors",
    "AnchorsBuilt",
    "AnchorsFound",
    "AnchorsStatus",
    "AnchorsUpdated",
    "Audit",
    "Belief",
    "BootstrapPlan",
    "BootstrapReport",
    "Brief",
    "Checked",
    "Compacted",
    "Completed",
    "Config",
    "Context",
    "ContextEnded",
    "ContextPriority",
    "ContextSession",
    "Contradiction",
    "CycleRecord",
    "Embedded",
    "EntryShown",
    "EntryState",
    "EntryType",
    "Episode",
    "Evidence",
    "Exported",
    "Forecast",
    "Forgot",
    "Format",
    "Graph",
    "Health",
    "HeldBelief",
    "HookAgent",
    "Imported",
    "IndexRestored",
    "InstallPlan",
    "Loading",
    "MergedFile",
    "Message",
    "Mind",
    "MindKept",
    "MindProblem",
    "Model",
    "Models",
    "Original",
    "Outcome",
    "QueryResult",
    "Received",
    "Refusal",
    "Related",
    "RelatedEntry",
    "Remembered",
    "Repair",
    "Restored",
    "Review",
    "Schedule",
    "SchedulePlan",
    "ScheduleStatus",
    "Scheduler",
    "Scores",
    "SessionHit",
    "Settled",
    "Shared",
    "Snapshot",
    "Status",
    "Tagged",
    "Undone",
    "Watch",
    "Window",
    "Workspace",
    "meaning_of",
    "merge_files",
    "name_of_cycle",
    "open_workspace",
    "undone_cycles",
    "write_report",
]


def __getattr__(name: str) -> object:
    """What is named above, imported now."""
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, there = place.partition(":")
    return getattr(import_module(f"hippocampus_cli.{module}"), there or name)
