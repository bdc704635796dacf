"""What a program may name: the workspace, its parts, and the types of what they return."""

from hippocampus_cli.anchors.export import AnchorsExported
from hippocampus_cli.anchors.lookup import AnchorsFound
from hippocampus_cli.api.anchors import Anchors
from hippocampus_cli.api.context import Context
from hippocampus_cli.api.curation import Curation
from hippocampus_cli.api.entries import Entries
from hippocampus_cli.api.mind import Mind
from hippocampus_cli.api.packages import Packages
from hippocampus_cli.api.sessions import Sessions
from hippocampus_cli.api.upkeep import Upkeep
from hippocampus_cli.api.workspace import Workspace, open_workspace
from hippocampus_cli.context.compaction import CompactedSession
from hippocampus_cli.context.compaction.score import JudgedMessage
from hippocampus_cli.context.lifecycle.consolidate import ContextEntryState, TurnResult
from hippocampus_cli.context.lifecycle.context_session import Completed
from hippocampus_cli.context.lifecycle.ingest import Ingested
from hippocampus_cli.context.lifecycle.session import (
    ContextEntry,
    ContextPriority,
    ContextSession,
    EntryType,
)
from hippocampus_cli.context.lifecycle.window import Window
from hippocampus_cli.context.originals import Original
from hippocampus_cli.context.session_files import Compacted, PiAnswer
from hippocampus_cli.context.session_search import SessionHit
from hippocampus_cli.context.transcripts import Format, Transcript
from hippocampus_cli.curation.task import AnswerOutcome, Task
from hippocampus_cli.embedding.models.places import Model, Models
from hippocampus_cli.entries.add import Added
from hippocampus_cli.entries.adopt import Adopted
from hippocampus_cli.entries.brief import Brief
from hippocampus_cli.entries.check import Checked, Lead
from hippocampus_cli.entries.remember import Remembered
from hippocampus_cli.entries.select import EntryShown, EntryState
from hippocampus_cli.entries.status import Status
from hippocampus_cli.entries.tag import Tagged
from hippocampus_cli.entries.wrong import TakenBack
from hippocampus_cli.index.checks import Diagnostic
from hippocampus_cli.index.repair import Repair
from hippocampus_cli.integrations.agent_files import Agent
from hippocampus_cli.integrations.agents import AgentCheck, Agents
from hippocampus_cli.integrations.install import InstallPlan
from hippocampus_cli.integrations.loading import Loading
from hippocampus_cli.maintenance.actions import Action
from hippocampus_cli.maintenance.bootstrap import Addition, BootstrapPlan
from hippocampus_cli.maintenance.end_session import Ended
from hippocampus_cli.maintenance.forget import Forgot
from hippocampus_cli.maintenance.history import Record as CycleRecord
from hippocampus_cli.maintenance.holders import ToForget
from hippocampus_cli.maintenance.restore import IndexRestored, Restored
from hippocampus_cli.maintenance.run_bootstrap import BootstrapReport
from hippocampus_cli.maintenance.undo import Undone
from hippocampus_cli.maintenance.upkeep import Outcome
from hippocampus_cli.mind.beliefs import Belief
from hippocampus_cli.mind.derive import Evidence
from hippocampus_cli.mind.episodes import Episode
from hippocampus_cli.mind.held import Contradiction, HeldBelief
from hippocampus_cli.mind.keep import MindKept
from hippocampus_cli.mind.package import Exported, Imported
from hippocampus_cli.query.results import QueryResult
from hippocampus_cli.report.health import Health
from hippocampus_cli.schedule.schedule import Schedule, SchedulePlan, ScheduleStatus
from hippocampus_cli.schedule.scheduler import Name as Scheduler
from hippocampus_cli.search.embed import Embedded
from hippocampus_cli.watch.events import WatchEvent, WatchStatus
from hippocampus_cli.watch.watch import Watch
from hippocampus_cli.workspace.guard import Snapshot
from hippocampus_cli.workspace.tombstones import Tombstone
