"""Every failure that a user can meet, as one tree.

A class has a stable ``code`` (for scripts and ``--json``), an ``exit_code``, and two templates: ``what`` happened and
what to do ``next``. A raise site gives facts only, so the wording of an error is in one place. Exit codes: 0 success,
1 nothing found or a check failed, 2 usage, 3 to 21 below, 70 a bug in hippo, 130 interrupted, 141 a closed pipe.
"""

from __future__ import annotations

from typing import ClassVar


class HippoError(Exception):
    """Base of all expected failures. ``path`` and ``line`` (1-based) say where; ``facts`` fill the templates."""

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1
    what: ClassVar[str] = "{reason}"
    next: ClassVar[str] = ""

    def __init__(
        self, *, path: str | None = None, line: int | None = None, **facts: object
    ) -> None:
        self.path = path
        self.line = line
        self.facts = facts
        super().__init__(self.message)

    @property
    def where(self) -> str:
        """``file:line``, ``file``, or an empty string."""
        if self.path is None:
            return ""
        return self.path if self.line is None else f"{self.path}:{self.line}"

    @property
    def message(self) -> str:
        """What happened, with the facts filled in."""
        return self.what.format(path=self.path, line=self.line, **self.facts)

    @property
    def advice(self) -> str:
        """What to do next, or an empty string."""
        return self.next.format(path=self.path, line=self.line, **self.facts)


class UsageError(HippoError):
    code = "usage"
    exit_code = 2
    next = "{advice}"


class WorkspaceNotFound(HippoError):
    code = "no-workspace"
    exit_code = 3
    what = "no workspace found from {path} upwards (looked for {looked_for})"
    next = "run `hippo bootstrap` in the folder of your notes, or name one with --workspace"


class WorkspaceUnusable(WorkspaceNotFound):
    """The named folder cannot be a workspace."""

    what = "the workspace {path} {reason} (named by {origin})"
    next = "name your agent's folder; without a name it is looked for from here upwards"


class WorkspaceGone(WorkspaceNotFound):
    """The workspace was deleted or moved while hippo was running."""

    what = "the workspace {path} no longer exists"
    next = "restore it, or name its new location with --workspace"


class IndexNotFound(HippoError):
    code = "no-index"
    exit_code = 4
    what = "there is no index here yet"
    next = "run `hippo bootstrap` to create one from your notes"


class IndexGone(IndexNotFound):
    """hippo wrote an index here, and it does not exist any more."""

    code = "index-gone"
    exit_code = 21
    what = "the index is gone; it held {total} entries when hippo last wrote it"
    next = (
        "`hippo restore --index` restores it; if its removal was intended, confirm with"
        " `hippo check --accept`, then `hippo bootstrap` makes a new one"
    )


class IndexShrunk(HippoError):
    """The index on disk lacks more entries than the loss limit allows; nothing was written."""

    code = "index-shrunk"
    exit_code = 21
    what = "{lost} of {total} entries are gone from the index since hippo last wrote it"
    next = (
        "`hippo restore --index` restores them; if the index is correct as it is"
        " (another branch, say), confirm with `hippo check --accept`"
    )


class NoSnapshot(HippoError):
    code = "no-snapshot"
    exit_code = 14
    next = "`hippo restore --index --dry-run` shows the snapshots that are kept; `hippo bootstrap` indexes notes"


class IndexRefused(HippoError):
    """The index is damaged so that this change is unsafe; nothing was written."""

    code = "index-refused"
    exit_code = 5
    what = "the index was left untouched: {reason}"
    next = "look at the line named, or run `hippo check` for every problem in the file"


class MergeUnresolved(IndexRefused):
    """The index has conflict markers of a merge: a person decides which side is right."""

    code = "merge-conflict"
    what = "the index was left untouched: it has conflict markers of a merge in lines {lines}"
    next = "edit the file: keep the right side of each conflict and delete the marker lines; then try again"


class FileUnreadable(HippoError):
    code = "unreadable"
    exit_code = 6
    what = "cannot read the file: {reason}"
    next = "check that it exists, is a regular file, and that you may read it"


class IndexUnreadable(IndexRefused, FileUnreadable):
    """What is in the index's place is no text that hippo reads; it was left untouched."""

    code = "index-unreadable"
    exit_code = 6
    what = "the index cannot be read: {reason}"
    next = "`hippo restore --index` puts a snapshot in its place and keeps in .hippocampus what is there now"


class TranscriptUnreadable(FileUnreadable):
    """The file is readable, but not a transcript of a known format."""

    code = "transcript"
    what = "cannot read the transcript: {reason}"
    next = "name its format with --format, or give the session file of Pi, OpenClaw or Claude Code"


class FileUnwritable(HippoError):
    code = "unwritable"
    exit_code = 6
    what = "cannot write: {reason}; nothing was changed"
    next = "check permissions and free space"


class FolderBlocked(FileUnwritable):
    """``kind`` of thing stands in the place of a folder of hippo's."""

    code = "folder-blocked"
    what = "{kind} stands where hippo needs a folder; nothing was changed"
    next = "move it away, then try again"


class BeingWritten(FileUnwritable):
    """Another program has the file open for writing."""

    code = "being-written"
    next = "save and close it there, then try again"


class MemoryKept(BeingWritten):
    """The log cannot be written now; the memory is stored elsewhere until it can."""

    code = "kept"
    what = "{path} is open in another program; the memory is kept in .hippocampus/waiting.jsonl"
    next = "save and close it there; the next `hippo remember` or upkeep writes it to the log"


class ChangeUnfinished(FileUnwritable):
    """Some files of a change are written and could not be restored: ``pending.zip`` holds the rest."""

    code = "unfinished"
    what = "the change is incomplete: {reason}"
    next = "correct the cause; the next hippo command completes the change and reports it"


class OutsideWorkspace(HippoError):
    code = "outside"
    exit_code = 7
    next = "hippo only reads and writes inside the workspace; point at a file that is in it"


class Busy(HippoError):
    code = "busy"
    exit_code = 8
    what = "another hippo process has been writing for over {seconds:g} s"
    next = "try again; if no other hippo process is running, raise `lock.timeout_seconds`"


class UpkeepBusy(Busy):
    code = "upkeep-busy"
    what = "another cycle of upkeep, or an undo, is running in this workspace"
    next = "try again when it has ended; it takes seconds"


class ConfigInvalid(HippoError):
    code = "config"
    exit_code = 9
    next = "correct it; `hippo config --defaults` lists every key with its default"


class EmbedderUnset(ConfigInvalid):
    """Vectors are needed, and no embedder is configured."""

    code = "embedder-unset"
    what = "no embedder is configured: embedding.embedder is none"
    next = (
        'put embedder = "use-multilingual" under [embedding] in .hippocampus/config.toml,'
        " and install it: hippo embed --install use-multilingual"
    )


class PolicyInvalid(ConfigInvalid):
    code = "policy"
    next = "correct it; nothing was added or changed"


class EntryNotFound(HippoError):
    code = "no-entry"
    exit_code = 10
    what = "no entry with the id {id!r}{nearest}"
    next = "`hippo list` shows every id, `hippo list --archived` those in the archive"


class MessageNotFound(EntryNotFound):
    code = "no-message"
    what = "no message with the id {id!r}{nearest}"
    next = "an id is the text after # in a summary; name its transcript with --session"


class MessageAmbiguous(EntryNotFound):
    """Several sessions have a message of this id; ``sessions`` lists them."""

    code = "ambiguous-message"
    what = "the id {id!r} names different messages in {count} sessions"
    next = "name the session: {sessions}"


class ContextEntryNotFound(EntryNotFound):
    code = "no-context-entry"
    what = "the session {session} has no entry {id!r}"
    next = "`hippo context list --all` shows every id"


class SessionNotFound(EntryNotFound):
    """There is no such session, there are several, or it has ended: ``reason`` says which."""

    code = "no-session"
    what = "{reason}"
    next = "{advice}"


class EntryExists(HippoError):
    code = "entry-exists"
    exit_code = 11
    what = "there is already an entry with the id {id!r}"
    next = "choose another --id, or edit that one"


class LossRefused(HippoError):
    """A cycle would archive or merge more entries than the loss limit allows; nothing was written."""

    code = "loss-limit"
    exit_code = 13
    what = "upkeep stopped before it changed anything: {count} of {total} entries would be affected ({why})"
    next = "look at the plan with --dry-run; --force applies it, and `hippo undo` undoes it"


class NothingToUndo(HippoError):
    code = "nothing-to-undo"
    exit_code = 14
    next = (
        "`hippo history` lists what can be undone: upkeep, restores, repairs, beliefs;"
        " what tag did is taken back with tag, what add did in the file, a memory with `hippo forget TEXT --notes`"
    )


class AlreadyUndone(NothingToUndo):
    code = "already-undone"
    next = "{advice}; `hippo history` lists every cycle"


class NothingToForget(HippoError):
    code = "nothing-to-forget"
    exit_code = 1
    next = "`hippo forget --list` shows what was forgotten; nothing was changed"


class PointerBroken(HippoError):
    """The target of a new pointer does not exist."""

    code = "broken-pointer"
    exit_code = 12
    what = "{pointer!r} is a broken pointer: {reason}{nearest}"
    next = "correct it; --force writes it anyway, for a note that does not exist yet"


class ScheduleRefused(HippoError):
    """The schedule could not be changed; every file is as it was."""

    code = "schedule-refused"
    exit_code = 15
    what = "the schedule was not changed: {reason}"
    next = "{advice}"


class NoScheduler(ScheduleRefused):
    code = "no-scheduler"
    what = "no scheduler is available here: {reason}"
    next = "run this every day with a scheduler of your own: {line_to_run}"


class ExtraMissing(HippoError):
    """An optional part of hippo is not installed."""

    code = "missing-extra"
    exit_code = 16
    what = "{feature} needs the extra {extra!r}, which is not installed"
    next = (
        "install {packages} beside hippo: pip install '.[{extra}]' in a clone,"
        " pipx inject hippocampus-cli {packages} with pipx"
    )
    packages: ClassVar[dict[str, str]] = {
        "report": "vl-convert-python jinja2",
        "semantic": "numpy threadpoolctl",
        "sign": "cryptography",
        "postgres": "psycopg psycopg-binary",
        "langchain": "langchain-core",
        "autogen": "autogen-core",
        "langchain-agent": "langchain",
        "langgraph": "langgraph",
        "crewai": "crewai",
        "agent-framework": "agent-framework-core",
    }

    def __init__(self, *, feature: str, extra: str) -> None:
        super().__init__(feature=feature, extra=extra, packages=self.packages[extra])


class AlreadyWatched(HippoError):
    """Another process already watches this workspace."""

    code = "watched"
    exit_code = 17
    what = "this workspace is already being watched"
    next = "use that watch, or stop it first; other workspaces can be watched at the same time"


class InstallRefused(HippoError):
    """hippo could not be installed in an agent, or removed from it; every file is as it was."""

    code = "install-refused"
    exit_code = 18
    what = "nothing was changed: {reason}"
    next = "{advice}"


class EmbedderUnavailable(HippoError):
    """The embedder is not available."""

    code = "no-embedder"
    exit_code = 19
    what = "texts cannot be turned into vectors: {reason}"
    next = "{advice}"


class ModelMissing(EmbedderUnavailable):
    code = "model-missing"
    what = "the model {model!r} cannot be used: {reason}"
    next = "install it: hippo embed --install {model}"


class ModelRefused(EmbedderUnavailable):
    """The model was not installed; an earlier installation is unchanged."""

    code = "model-refused"
    what = "the model was not installed: {reason}"


class StoreUnavailable(HippoError):
    """The shared store cannot be used. The message never contains a password."""

    code = "store-unavailable"
    exit_code = 26
    what = "the shared store cannot be used: {reason}"
    next = "hippo tries again in a minute; HIPPO_STORE_URL says where it is"


class EmbeddingFailed(HippoError):
    """The embedder returned an error or invalid vectors. The message never contains a key."""

    code = "embedding-failed"
    exit_code = 20
    what = "{model} returned no vectors: {reason}"
    next = "{advice}"


def words_only(error: HippoError) -> str:
    """The notice that ``error`` prevented a comparison by meaning."""
    return f"only words were compared: {error.message} ({error.advice})"
