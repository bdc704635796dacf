"""What every ``--json`` document holds: from here comes docs/reference/json.md, and a test holds it against what the
commands print.

A line of a shape is ``key | type | unit | meaning``. ``a.b`` is a key of the object ``a``, ``a[]`` an object of the list
``a``. A key that ends in ``?`` is not always there. Types: text, integer, number, true or false, object, anything; ``list
of`` and ``object of`` (whose keys are data) one of them; ``or null``; the name of a shared shape.
"""

from __future__ import annotations

from typing import NamedTuple


class Document(NamedTuple):
    """A document: the commands that print it, what is to be said of it, and its shape."""

    commands: tuple[str, ...]
    about: str
    shape: str


SHARED = {
    "Belief": """
        id | text | | unique; `hippo why ID` takes it
        statement | text | | word for word as it was said
        derived_from | list of text | references | never empty; `ep-….3` is an episode's third statement
        origin | text | | the least trusted of whose word it rests on: `user`, `assistant`, `tool`, `file`, `import`, `unknown`
        since | text | date | from when it holds
        created | text | date |
        verified | text | date | its last evidence
        weight | number | 0 to 1 | right after its last evidence
        significance | number | 0 to 1 | how far it withstands decay
        version | integer | |
        status | text | | `held`, `superseded`, `retracted`, `archived`
        until | text or null | date | until when it held
        by | text | id | what superseded it; empty for none
        restated | text or null | date | when its words were last looked at
        tags | list of text | | what it is asked by; none: the words of the statement
        subject | text | | what it speaks of; empty where nobody said
        attribute | text | |
        value | text | |
    """,
    "Episode": """
        id | text | |
        at | text | time | when it began
        until | text | time | when it ended
        recorded | text | time | when it was written
        who | text | | the user
        session | text | |
        origin | text | | the origins of its statements, with `+` between
        source | text | path | the session's file or the note, with lines
        range | text | | the first and the last message or line
        source_sha256 | text | | of what these hold
        encoder | text | |
        text_sha256 | text | | of its text
        prev | text | | the `sha256` of the record before
        sha256 | text | | of the record
        file | text | path | the record's file
        line | integer | line |
    """,
    "Bands": """
        strong | integer | entries | strength now at or above `bands.strong`
        moderate | integer | entries | at or above `bands.moderate`
        weak | integer | entries | at or above `bands.weak`
        decaying | integer | entries | at or above `bands.silent`
        silent | integer | entries | below it
    """,
    "Entry": """
        id | text | | unique in the index; where an id stands twice, the second one's is `id~2`
        topic | text | | its heading
        summary | text | | the line about it
        strength | number | 0 to 1 | now
        band | text | | `strong`, `moderate`, `weak`, `decaying`, `silent`
        base | number | 0 to 1 | the strength right after the last access
        hits | integer | | how often it was retrieved
        created | text or null | date | when it came into the index
        accessed | text or null | date | when it was last used
        queued | text or null | date | since when it is in the Decay Queue
        stale | text or null | date | since when something that it points at is in no note any more
        tags | list of text | |
        rel | list of text | ids | related entries
        pri | text | | `amygdala`, `high`, `normal`, `low`
        src | text or null | | who wrote it: `auto`, `retrieval`, `manual`
        ver | integer | | how often it was rewritten
        pointers | list of text | | where it leads: `path §section`
        file | text | path | the file of the index that it stands in
        line | integer | line | its first line there
        section | list of text | | the titles it stands under, outermost first
        bare | true or false | | a bullet without metadata
        archived | text or null | date | when it was put away; null for one that lives
        why | text | | `pruned`, `silent`, `merged into ID`, `undone`; empty for one that lives
    """,
    "Short entry": """
        id | text | |
        topic | text | | its heading
        strength | number | 0 to 1 | now
        band | text | | `strong`, `moderate`, `weak`, `decaying`, `silent`
        hits | integer | | how often it was retrieved
        created | text or null | date |
        accessed | text or null | date |
        queued | text or null | date | since when it is in the Decay Queue
    """,
    "Action": """
        kind | text | | `prune`, `archive`, `merge`, `repoint`, `flag`, `clear`, `queue`, `revive`, `add`, `access`, `replay`, `consolidate`, `section`, `relate`, `compress`, `shard`, `promote`, `strength`, `list`, `restore`, `repair`
        key | text | id | the entry, or the list
        reason | text | |
        before | text | |
        after | text | |
    """,
    "Size": """
        entries | integer | | of the master file
        in_topics | integer | entries | in topic files
        archived | integer | entries |
        tokens | integer | tokens | of the master file
        notes | integer | files |
        strength? | number | 0 to 1 | the mean
        bands? | Bands | |
    """,
    "Snapshot": """
        number | integer | |
        at | text | date and time |
        entries | integer | |
        bytes | integer | bytes |
    """,
    "Context entry": """
        id | text | |
        type | text | | `tool_result`, `message`, `state`, `memory`
        source | object | |
        source.type | text | | where it came from: `file`, `error`, `user`, `browser.snapshot`, …
        source.ref | text | | its name there
        source.turn | integer | turn | when it was added
        source.retrievable | true or false | | it can be read again there
        summary | text | |
        key_data | object of list of text | | commands, paths, addresses, errors and numbers out of the content
        strength | number | 0 to 1 | at the last access
        decay | object | |
        decay.rate | number | a turn |
        decay.floor | number | 0 to 1 | below it the entry leaves the window
        decay.last_access | integer | turn |
        modifiers | object | |
        modifiers.priority | text | | `critical`, `high`, `normal`, `low`
        modifiers.encoding | text | | `auto`, `manual`
        modifiers.associations | list of text | ids |
        lifecycle | object | |
        lifecycle.created | integer | turn |
        lifecycle.expires | integer or null | turns | it leaves after so many
        lifecycle.persist | true or false | | it goes to MEMORY.md when the session ends
        content | object | |
        content.sha256 | text | |
        content.bytes | integer | bytes |
        content.tokens | integer | tokens |
        content.kind | text | | what was recognised: `text`, `json`, `code`, …
        content.exact | true or false | | the source held the same when it was added
        summary_tokens | integer | tokens |
        indexed | true or false | | the window holds the summary instead of the content
        stale | true or false | | the source has changed, or is gone
        earlier | list of text | sha256 | what the source held before
    """,
    "Standing": """
        strength_now | number | 0 to 1 |
        state | text | | `active`, `dormant`, `expired`
        entry | Context entry | |
    """,
    "Model": """
        name | text | | as `hippo embed --install` takes it
        model | text | | its full name
        dimensions | integer | |
        licence | text | |
        package | text | | what pip fetches
        state | text | | `installed`, `missing`, `damaged`
        folder | text | path |
        size | integer | bytes | on disk
    """,
    "Change": """
        place | text | path | the file, or the place in it
        diff | list of text | | lines that begin with `+`, `-` or a space
    """,
    "Tombstone": """
        id | integer | | its number, for `--undo`
        at | text | date and time |
        sort | text | | `text`, `path`, `session`, `span`
        places | integer | | where it was found
        session | text or null | |
    """,
    "Setting": """
        key | text | | `table.name`
        value | anything | | as it holds now
        default | anything | |
        origin | text | | `default`, `config.toml`, a variable, an option
        doc | text | | its meaning
    """,
}
"""Shapes that several documents have in them, by name."""

_CYCLE = """
    cycle | text or null | | `daily`, `weekly`, `monthly`, `replay`; null where nothing was due
    dry_run | true or false | | nothing was written
    changed | true or false | | it changes the index
    number? | integer or null | | in the history; null where nothing was written
    actions | list of Action | |
    index? | Size | | afterwards
    sessions? | object | | by a monthly cycle
    sessions.ended | list of text | ids | because nobody used them
"""
_INSTALL = """
    agent | text | | `claude-code`, `codex`, `gemini`, `cursor`, `opencode`, `openclaw`, `pi`, `any`, `git`
    action | text | | `install`, `uninstall`
    path | text | path | the file that the agent reads
    written | true or false | |
    loaded | true or false or null | | false: its settings or its version keep the agent from it, exit code 1; null: not known
    changes | list of Change | |
    notices | list of text | | what could keep it from working
"""
_ANCHORS = """
    anchors | integer | |
    multi_word_anchors | integer | |
    chunks | integer | |
    files | integer | |
"""
_BUILT = """
    embedder | text | | of the vectors; `none` without any
    built_at | text | date and time |
"""
_SESSION = """
    session | text | id |
    turn | integer | | how many turns were counted
"""
_STANDINGS = _SESSION + "entries | list of Standing | |\n"
_PLAN = """
    workspace | text | path |
    name | text | | of the job
    command | list of text | | what runs, a word each
    scheduler | text or null | | `cron`, `systemd`, `launchd`; null for remove
    written | true or false | |
    steps | list | |
    steps[].scheduler | text | |
    steps[].action | text | | `install`, `remove`
    steps[].changes | list of Change | |
    notices | list of text | | what could keep it from running
"""

SHARED["Held belief"] = (
    SHARED["Belief"]
    + """
        weight_now | number | 0 to 1 | decayed
        before | list of Belief | | what it came instead of, the latest first
        disputed_by | list of Belief | |
    """
)

DOCUMENTS = (
    Document(
        ("bootstrap",),
        "",
        """
        workspace | text | path | absolute
        chosen | text | | `named`, `found` (the folder you stand in), `above`, or `here`: it was no workspace before
        path | text | path | the index
        created | true or false | | there was none
        changed | true or false | |
        dry_run | true or false | |
        notes | integer | files | read
        entries | integer | | in the index
        tokens | integer | tokens | of the index
        max_tokens | integer | tokens | its budget
        added | list | |
        added[].id | text | |
        added[].topic | text | |
        added[].section | text | |
        added[].pointers | list of text | |
        added[].line | integer or null | line | in the note
        added[].type | text | | the kind of note: `config`, `daily`, `state`, `project`, `doc`, `research`, `skill`, `agent`, `temp`
        in_topics | integer | | entries of them that are in topic files
        left_out | list | | sections that got no entry of their own
        left_out[].path | text | path |
        left_out[].line | integer | line |
        left_out[].title | text | | empty for a file as a whole
        left_out[].type | text | | the kind of note
        left_out[].reason | text | |
        skipped | object of integer | files | not notes, by reason
        unread | list | | notes that could not be read
        unread[].path | text | path |
        unread[].reason | text | |
        """,
    ),
    Document(
        ("query",),
        "One document. The exit code is 1 where nothing was found.",
        """
        query | text | | what was asked
        mode | text | | `index`, `search`, `hybrid`
        route | text | | who found the first result: `index`, `search`, `both`, `none`
        confidence | number | 0 to 1 | how likely it is that one of the results answers
        sure | text | | a word for it: `sure`, `unsure`, or `none` where nothing is shown
        first? | number | 0 to 1 | how likely it is that the first result answers
        missing? | list of text | | names, numbers and identifiers of the question that no note has
        closest? | text | | a line of what comes nearest, where nothing is shown
        today | text | date | the day of the question
        newest? | text | date | the day of the newest note
        results | list | | best first
        results[].path | text | path |
        results[].section? | text | | the name after `§` of the section
        results[].start_line | integer | line |
        results[].end_line? | integer | line |
        results[].text | text | | with the heading that it begins with, where there is room
        results[].heading_lines? | integer | lines | of the text: the heading and blanks below it
        results[].score? | number | 0 to 1 | within this query
        results[].source? | text | | `index` where an entry matched; else search found it
        results[].entry? | text | id | the entry that points there
        results[].strength? | number | 0 to 1 | its strength now
        results[].band? | text | |
        results[].cut? | true or false | | the section has more
        results[].stale? | true or false | | what that entry points at is gone, and this is only the note it was in
        results[].superseded? | text | | what took it back: `struck through` by hand, or who called it outdated
        results[].copies? | list of text | `path:line` | places with the same text
        results[].earlier? | list | | older places that say nearly the same, newest first
        results[].earlier[].place | text | `path:line` |
        results[].earlier[].date | text | date |
        results[].earlier[].text | text | |
        results[].origin? | text | | whose words: `user`, `assistant`, `tool` where a daily log labels them so, `import` where another agent shared them; else the file's
        results[].date? | text | date | the day of the place
        results[].dated_by? | text | | what says so: its `line`, a `heading` above it, the `name` of the file, or the day when the file `changed` last
        results[].reasons? | list of text | | with `--explain`
        suppressed? | list | | entries that match and do not answer
        suppressed[].entry | text | id |
        suppressed[].strength | number | 0 to 1 |
        suppressed[].cause | text | | `faded`, or what it points at is `gone`
        suppressed[].reason | text | | the same in words
        written? | list | | what was written back
        written[].entry | text | id |
        written[].change | text | | `hit`, `created`, `tagged`
        written[].detail | text | |
        tokens? | integer | tokens | of the texts of all results, which is what `--tokens` bounds
        full_scan_tokens? | integer | tokens | of all notes
        elapsed_ms | number | ms |
        corrections? | object of list of text | | words that were read as others
        days? | list | | which words were taken for which days
        days[].words | text | |
        days[].first | text | date |
        days[].last | text | date |
        phrasings? | list of text | | the other wordings of the question
        beliefs? | list | | what is held about it, where anything is
        beliefs[].id | text | |
        beliefs[].statement | text | |
        beliefs[].since | text | date |
        beliefs[].origin | text | |
        beliefs[].before | text | | what was held before; empty for nothing
        beliefs[].disputed | text | | what disputes it; empty for nothing
        waiting? | list of text | | what was remembered and is not in its log yet, whatever was asked: `path § heading: text`
        notices | list of text | | what a person should know, such as notes that could not be read
        """,
    ),
    Document(
        ("query --lean",),
        "What an agent needs of an answer, for hardly more tokens than its text costs.",
        """
        sure | text | | `sure`, `unsure`, or `none` where nothing is shown
        confidence | number | 0 to 1 | how likely it is that one of the places answers
        places | list | | best first
        places[].at | text | `path:line` | where its text begins
        places[].date? | text | | its day; `changed` and the day where that is only the file's last change
        places[].text | text | |
        places[].remarks? | list of text | | what took it back, its copies, older places that say nearly the same, `stale`
        closest? | text | | a line of what comes nearest, where nothing is shown
        notices? | list of text | | corrected words, days as they were read, what no note has, and what a person should know
        held? | list of text | | what is held about it, where anything is
        waiting? | list of text | | what was remembered and is not in its log yet, whatever was asked: `path § heading: text`
        """,
    ),
    Document(
        ("brief",),
        "",
        """
        text | text | | the brief as it is shown
        tokens | integer | tokens | of `text`, rather too many
        owner | list of text | | whose memory it is, with the note that says so
        rules | list of text | | each with its `path:line`, the strictest first
        credentials | list of text | | sections that say where a credential is, each with its `path:line`
        tasks | list of text | | open ones of the core files and of the newest daily notes, with their `path:line`
        subjects | list of text | | `folder/: names of notes`, those that count most first
        answer | list of text | | `path:line: text` that is likely to answer the prompt of `--for`
        notices | list of text | | what is wrong with the memory itself
        held | list of text | | what is held, the newest first, with its day and what it came instead of
        instructions | text | | hippo's own words, with which `text` begins; all that follows is quoted from the notes
        """,
    ),
    Document(
        ("show",),
        "",
        """
        entry | Entry | |
        leads | list | | what its pointers lead to
        leads[].pointer | text | |
        leads[].status | text | | `ok`, `missing-file`, `missing-section`, `unreadable`, `folder`, `outside`, `absolute`, `elsewhere` (another memory)
        leads[].path | text or null | path |
        leads[].section | text or null | |
        leads[].start_line | integer or null | line |
        leads[].end_line | integer or null | line |
        leads[].text | text or null | | its beginning
        leads[].remark | text | |
        related | object of text or null | | the topics of related entries by id; null: not in the index
        """,
    ),
    Document(
        ("wrong",),
        "",
        """
        entries | list | | of which a hit was taken back
        entries[].id | text | |
        entries[].query | text | | the question that it had come from
        entries[].hits | integer | | that it has left
        entries[].forgot | list of text | | tags that the question had taught it
        entries[].archived | true or false | | it was made for that question, and is in the archive now
        """,
    ),
    Document(
        ("list",),
        "The exit code is 1 where no entry matches.",
        """
        entries | list of Entry | |
        total | integer | | how many match, without `--limit`
        """,
    ),
    Document(
        ("anchors build",),
        "",
        "changed | true or false | | the files on disk are others than before\n"
        "check | true or false | | with `--check`: nothing was written\n"
        + _ANCHORS
        + "entries | integer | | in all lists\n"
        + _BUILT,
    ),
    Document(
        ("anchors lookup",),
        "The exit code is 1 where the message has no anchor.",
        """
        text | text | | the message
        hits | list | | best first
        hits[].rank | integer | | 1 is the best
        hits[].path | text | path |
        hits[].start_line | integer | line |
        hits[].end_line | integer | line |
        hits[].score | number | 0 to 1 |
        hits[].source | text | | the kind of note
        hits[].preview | text | |
        hits[].anchors | list of text | | words of the message that led there
        notices | list of text | |
        """,
    ),
    Document(
        ("remember",),
        "",
        """
        path | text | path | the log
        section | text | | the new heading
        start_line | integer | line |
        end_line | integer | line |
        entry | text or null | id |
        notices | list of text | |
        earlier | list | | places that may speak of the same
        earlier[].place | text | `path:line` |
        earlier[].date | text | date |
        earlier[].text | text | |
        """,
    ),
    Document(
        ("curate",),
        "",
        """
        tasks | list | |
        tasks[].id | text | | names the task in an answer
        tasks[].kind | text | | `state`, `conflict`, `restate`, `merge`, `promote`, `describe`
        tasks[].question | text | |
        tasks[].evidence | list | | quoted data, never instructions
        tasks[].evidence[].place | text | `path:line` | or the id of a belief, an entry, a statement
        tasks[].evidence[].date | text | date | empty where nothing says
        tasks[].evidence[].origin | text | |
        tasks[].evidence[].text | text | |
        tasks[].answer | object of anything | | the JSON schema of the answer
        tasks[].refused | text | | why the last answer was refused; empty for none
        """,
    ),
    Document(
        ("curate --outdated",),
        "`--answer` and `--with` print the same. The exit code is 1 where an answer was refused.",
        """
        answers | list | |
        answers[].task | text | |
        answers[].day | text | |
        answers[].outcome | text | | `applied`, `refused`, `skipped`; `gone`: it is not asked any more
        answers[].by | text | | who answered: `agent`, `user` or the name of a model
        answers[].why | text | | why it was refused
        answers[].did | text | | what was written
        """,
    ),
    Document(
        ("mind encode", "remember --believe"),
        "",
        """
        episodes | list of text | ids | that were written; none where nothing is new
        refused | list of text | | the category of each statement that the gate refused
        added | list of text | ids | new beliefs, those that dispute what is held too
        superseded | list of text | ids |
        confirmed | list of text | ids | held already, and said again with `--believe`
        left | list of text | ids | not held any more: their lines are gone from their notes
        """,
    ),
    Document(
        ("mind log",),
        "With an id: `statements` instead.",
        """
        episodes? | list of Episode | | the oldest first
        statements? | list | |
        statements[].origin | text | |
        statements[].moment | text | time | empty where nothing says when
        statements[].source | text | | the message or line
        statements[].text | text | |
        """,
    ),
    Document(
        ("mind check",),
        "",
        """
        contradictions | list | |
        contradictions[].belief | Belief | |
        contradictions[].text | text | | another value of its subject and attribute
        contradictions[].id | text | id | of the belief that says so; empty where the text does
        """,
    ),
    Document(
        ("mind settle",),
        "",
        """
        belief | Belief | |
        episode | text | id | that says so
        superseded | list of text | ids |
        """,
    ),
    Document(
        ("mind settle --retract",),
        "",
        "belief | Belief | |\ndone | text | | `retracted`",
    ),
    Document(
        ("mind log --refused",),
        "Nothing of the content is in it.",
        """
        refused | list | |
        refused[].at | text | time |
        refused[].category | text | |
        refused[].source | text | | the message, line or command
        refused[].meaning | text | | what the category is about
        """,
    ),
    Document(
        ("export",),
        "",
        """
        path | text | path | the package
        files | integer | |
        bytes | integer | |
        head | text | | the hash of the last episode
        signed | text | | the public key; empty for none
        """,
    ),
    Document(
        ("ci",),
        "",
        """
        findings | list | | as of `hippo check`, and secrets in notes, `out-of-date`, `conflict`
        findings[].path | text | path |
        findings[].line | integer | |
        findings[].code | text | |
        findings[].severity | text | | `error` or `warning`
        findings[].message | text | |
        findings[].entry | text or null | | the key of an entry
        findings[].remedy | text | | a command, or empty
        errors | integer | |
        """,
    ),
    Document(
        ("import",),
        "",
        """
        parts | list | |
        parts[].path | text | path |
        parts[].what | text | | `new`, `same`, `differs` or `refused` (both were left out)
        parts[].why | text | |
        signed | text | | the public key that signed it; empty for none
        head | text | | the hash of the last episode in it
        dry_run | true or false | |
        kind | text | | whose memory it is: `hippo` for a package, `chatgpt`, `claude-ai`, `claude-code`, `codex`, `gemini`, `markdown`, `mcp-memory`, `mem0`, `obsidian`
        """,
    ),
    Document(
        ("beliefs",),
        "",
        """
        beliefs | list of Held belief | |
        """,
    ),
    Document(
        ("beliefs --why",),
        "",
        """
        belief | Belief | |
        evidence | list | |
        evidence[].reference | text | |
        evidence[].moment | text | time |
        evidence[].origin | text | |
        evidence[].place | text | path and lines |
        evidence[].session | text | |
        evidence[].text | text or null | | null where it was redacted
        """,
    ),
    Document(
        ("add",),
        "",
        """
        id | text | |
        topic | text | |
        pointers | list of text | |
        section | list of text | | the titles it stands under, outermost first
        line | integer | line |
        notices | list of text | |
        path | text | path | the index
        """,
    ),
    Document(
        ("tag",),
        "",
        """
        id | text | |
        priority | text | | as it is now
        tags | list of text | | as they are now
        added | list of text | |
        removed | list of text | |
        """,
    ),
    Document(
        ("restore",),
        "Without `--index`:",
        """
        restored | list | |
        restored[].id | text | |
        restored[].topic | text | |
        restored[].origin | text | | `queue`, `archive`, `index` (it was there)
        restored[].section | list of text | | where it is now
        restored[].strength | number | 0 to 1 |
        """,
    ),
    Document(
        ("restore --index",),
        "",
        """
        snapshot | Snapshot | | the one that is brought back
        dry_run | true or false | |
        back | list of text | ids | entries that the index lacks
        since | list of text | ids | entries made since, which stay
        exact | true or false | | every file is as it was kept
        entries | integer | | afterwards
        number | integer or null | | in the history
        aside | text or null | | where that is kept now which was in its place and could not be read
        snapshots | list of Snapshot | | all that are kept
        """,
    ),
    Document(
        ("forget",),
        "Nothing of the content is in it.",
        """
        sort | text | | `text`, `path`, `session`
        tombstone | integer or null | | its number; null where nothing was written
        places | integer | | where it was found
        held | list | | by what
        held[].name | text | |
        held[].files | integer | |
        held[].places | integer | |
        notes | list | |
        notes[].path | text | path |
        notes[].lines | list of integer | lines |
        removed | integer | | entries that go as a whole
        beyond | list | | what hippo cannot reach
        beyond[].what | text | |
        beyond[].files | list of text | paths |
        beyond[].commands | list of text | | that would do it
        anchors_gone | true or false | | the anchor index was removed; a build makes it again
        damaged | list of text | paths | what could not be read
        """,
    ),
    Document(
        ("forget --list",),
        "",
        """
        tombstones | list of Tombstone | |
        """,
    ),
    Document(
        ("forget --undo",),
        "",
        "undone | Tombstone | |",
    ),
    Document(
        ("compact",),
        "With `--stdin` the answer is Pi's: `compaction`, or an empty object.",
        """
        summary | text | |
        tokens | integer | tokens | of the summary
        original_tokens | integer | tokens | of everything that was compacted, an earlier summary too
        max_tokens | integer | tokens | the budget
        path | text | path |
        format | text | | `pi`, `openclaw`, `claude-code`, `codex`, `gemini`, `opencode`, `messages`
        broken_lines | integer | | records that were skipped
        counts | object of integer | | entries by action
        entries | list | |
        entries[].id | text or null | | null where an earlier summary does not say
        entries[].line | integer or null | line |
        entries[].role | text | |
        entries[].type | text | | `decision`, `user_intent`, `context`, `unknown`, `tool_result`, `ephemeral`
        entries[].tool | text or null | |
        entries[].tokens | integer | tokens |
        entries[].importance | number | 0 to 1 |
        entries[].age | integer | messages | since the last use
        entries[].retention | number | 0 to 1 |
        entries[].used | true or false | | a later message used it
        entries[].action | text | | `keep`, `compress`, `sparse`, `drop`, `fold`: told with its output, `skip`: said anew in any case
        entries[].reason | text | |
        key_data | list | |
        key_data[].kind | text | | `command`, `path`, `url`, `error`, `identifier`, `number`
        key_data[].text | text | |
        notices | list of text | | what a person should know of the file
        """,
    ),
    Document(
        ("sessions",),
        "",
        """
        results | list | | most words first, then the newest
        results[].agent | text | | `claude-code`, `codex`, `gemini`, `opencode`, `openclaw`, `pi`
        results[].session | text | path | its file, of a database with `#` and the session; for `hippo fetch --session`
        results[].id | text | | for `hippo fetch`
        results[].line | integer or null | line |
        results[].role | text | |
        results[].origin | text | | whose words: `user`, `assistant`, `tool`, `file`
        results[].tool | text or null | |
        results[].timestamp | text or null | date and time |
        results[].matched | integer | | of the words
        results[].text | text | | what stands around the first of them
        """,
    ),
    Document(
        ("fetch",),
        "",
        """
        id | text | |
        session | text | | its session file, or what a summary names
        path | text or null | path | null: a copy
        line | integer or null | line |
        role | text | |
        origin | text | | whose words: `user`, `assistant`, `tool`, `file`
        tool | text or null | |
        timestamp | text or null | date and time |
        tokens | integer | tokens |
        text | text | |
        message | anything | | as it was written
        """,
    ),
    Document(
        ("context add",),
        "",
        """
        session | text | id |
        entry | Context entry | |
        reason | text | | why it is indexed or not
        policies | list of integer or null | lines | of those that fitted; null for a built-in one
        """,
    ),
    Document(
        ("context list --turn",),
        "",
        _SESSION
        + """
        active | integer | entries |
        dormant | list of text | ids | that left the window now
        expired | list of text | ids |
        compressed | list of text | ids | that became sparse now
        tokens | integer | tokens | of all active entries
        window_tokens | integer | tokens | the budget
        """,
    ),
    Document(
        ("context list",),
        "",
        _SESSION
        + """
        text | text | | what goes into the window
        tokens | integer | tokens | of `text`
        budget | integer | tokens |
        entries | list | |
        entries[].id | text | |
        entries[].form | text | | `sparse`, `full`
        entries[].strength | number | 0 to 1 | now
        entries[].tokens | integer | tokens |
        left_out | list of text | ids | for which there was no room
        dormant | list of text | ids |
        """,
    ),
    Document(("context list --all",), "", _STANDINGS),
    Document(
        ("context get",),
        "The exit code is 1 where only the summary is left.",
        """
        session | text | id |
        id | text | |
        origin | text | | where the content is from: `source`, `cache`, `summary`
        changed | true or false | | the source holds something else than was added
        stale | true or false | |
        reason | text | | why it is not the source
        encoding | text | | `utf-8`, `base64`
        content | text | |
        """,
    ),
    Document(
        ("context end",),
        "",
        _SESSION
        + """
        kept | list | | what went to MEMORY.md
        kept[].id | text | |
        kept[].path | text | path |
        kept[].section | text | |
        kept[].start_line | integer | line |
        kept[].end_line | integer | line |
        kept[].entry | text or null | id | in the index
        kept[].new | true or false | |
        kept[].notices | list of text | |
        faded | list of text | ids | that were to persist and are too weak
        rest | integer | entries | for the archive
        dry_run | true or false | |
        """,
    ),
    Document(("install WHERE",), "", _INSTALL),
    Document(
        ("install",),
        "Without a name: every agent that is here.",
        """
        agents | list | | of each the document that it has by its name
        agents[].agent | text | |
        agents[].action | text | | `install`, `uninstall`
        agents[].path | text | path |
        agents[].written | true or false | |
        agents[].loaded | true or false or null | |
        agents[].changes | list of Change | |
        agents[].notices | list of text | |
        notices | list of text | | agents that are left out, and why
        """,
    ),
    Document(
        ("install --check",),
        "The exit code is 25 where what is installed does not start, 1 where it is installed in no agent, or one does not load it.",
        """
        checks | list | |
        checks[].agent | text | |
        checks[].path | text or null | path | the file that the agent reads
        checks[].installed | true or false or null | | null: it cannot be looked at
        checks[].fault | text or null | | why it does not start, or that it is not up to date
        checks[].tools | integer or null | | what its MCP server lists when it is started; null: it has none
        checks[].loaded | true or false or null | | null: not known
        checks[].notices | list of text | | why it is not loaded, and what could keep it from working
        checks[].runs | list | | the last run of each hook in this workspace, the newest first
        checks[].runs[].event | text | | hippo's name of it
        checks[].runs[].at | text | date and time |
        checks[].runs[].tokens | integer | tokens | that were said
        checks[].runs[].elapsed_ms | integer | milliseconds |
        checks[].runs[].failed | text or null | | what went wrong
        """,
    ),
    Document(
        ("status",),
        "",
        """
        version | text or null | | of the index
        reindexed | text or null | date and time |
        entries | integer | |
        bands | Bands | |
        pinned | integer | entries |
        queued | integer | entries | in the Decay Queue
        tokens | integer | tokens | of the index
        max_tokens | integer | tokens | its budget
        notes | integer | files |
        note_tokens | integer | tokens | of all notes
        skipped | object of integer | files | not notes, by reason
        unindexed | list of text | paths | notes that no entry points at and bootstrap would add
        mind | object of integer | | episodes, beliefs that are held, tasks of sessions; empty where there is no mind
        bare | integer | entries | bullets without metadata
        in_topics | integer | entries | in topic files
        cycles | object | | when each last ran
        cycles.daily | text or null | date and time |
        cycles.weekly | text or null | date and time |
        cycles.monthly | text or null | date and time |
        overdue | list of text | | cycles that are due
        unread | list of list of text | | notes that could not be read: path and reason
        lost | integer | entries | lost since hippo last wrote the index
        known | integer | entries | in it then
        missing | list of text | paths | files that entries point at and that are not there
        waiting | list of text | | what was remembered and its log lacks, as `path § heading`
        high | integer | entries | of high priority: they fade more slowly
        fades_on | text or null | date | when the next entries fall silent if nobody asks for them; null: never
        fades_first | integer | entries | that fall silent on that day
        conflicts | list of text | | where a merge left its markers, as `path:line`
        """,
    ),
    Document(("maintain",), "", _CYCLE),
    Document(
        ("undo",),
        "",
        """
        number | integer | | of this undo, in the history
        undoes | integer | |
        cycle | text | | what was undone
        at | text | date and time | when that ran
        exact | true or false | | every byte that it changed is as it was before it; when upkeep is due stays as it is
        archived | list of text | ids | entries that it had added
        """,
    ),
    Document(
        ("history",),
        "",
        """
        cycles | list | | the oldest first
        cycles[].number | integer | |
        cycles[].cycle | text | |
        cycles[].at | text | date and time |
        cycles[].undoes | integer or null | |
        cycles[].undone | true or false | |
        cycles[].restorable | true or false | | its files are still kept
        cycles[].forced | true or false | | over the loss limit
        cycles[].counts | object of integer | | actions by kind
        cycles[].index | Size | | afterwards
        cycles[].actions? | list of Action | | with a number
        """,
    ),
    Document(
        ("check",),
        "The exit code is 1 where there is an error. With `--accept`, where there is no index, `path` is null and `entries` 0,"
        " and that is all.",
        """
        path | text | path | the index
        diagnostics | list | |
        diagnostics[].path | text | path |
        diagnostics[].line | integer | line |
        diagnostics[].code | text | |
        diagnostics[].message | text | |
        diagnostics[].entry | text or null | id |
        diagnostics[].remedy | text | | a command that mends it, empty where there is none
        diagnostics[].severity | text | | `error`, `warning`
        entries | integer | |
        pointers | integer | |
        errors | integer | |
        warnings | integer | |
        dry_run? | true or false | | with `--fix` or `--drop`
        repairs? | list | | with `--fix` or `--drop`
        repairs[].path | text | path |
        repairs[].code | text | |
        repairs[].key | text or null | id |
        repairs[].done | text | |
        adopted? | list | | bullets that got metadata, with `--fix`
        adopted[].id | text | |
        adopted[].topic | text | |
        adopted[].pointer | text | |
        adopted[].line | integer | line | in the index
        adopted[].created | text | date | the day of its note
        """,
    ),
    Document(
        ("schedule ACTION",),
        "Without `--yes` nothing is written and the exit code is 2.",
        _PLAN,
    ),
    Document(
        ("schedule",),
        "",
        """
        workspace | text | path |
        name | text | | of the job
        installed | list | |
        installed[].scheduler | text | |
        installed[].rhythm | text | |
        installed[].places | list of text | |
        installed[].current | true or false | | what would be written today is there
        installed[].active | true or false or null | |
        last | object | |
        last.daily | text or null | date and time |
        last.weekly | text or null | date and time |
        last.monthly | text or null | date and time |
        log | text or null | path |
        refusals | object of text | | why a scheduler does not answer, where nothing is installed
        notices | list of text | |
        """,
    ),
    Document(
        ("report",),
        "Weeks begin on Monday.",
        """
        workspace | text | | its folder's name
        at | text | date and time |
        entries | integer | |
        pinned | integer | entries |
        average | number or null | 0 to 1 | strength now
        bands | Bands | |
        tokens | integer | tokens | of the index
        max_tokens | integer | tokens | its budget
        high | integer | entries | of high priority
        fades_on | text or null | date | when the next entries fall silent if nobody asks for them; null: none ever does
        fades_first | integer | entries | that do on that day
        pointers | integer | |
        broken | list | | the broken ones
        broken[].entry | text | id |
        broken[].topic | text | |
        broken[].pointer | text | |
        broken[].status | text | | `missing-file`, `missing-section`, `outside`
        orphans | list of Short entry | | without relations
        queries | integer | | over all weeks
        sure_rate | number or null | 0 to 1 | share of which hippo was sure, nobody has confirmed it; null without queries
        weeks | list | |
        weeks[].week | text | date | its Monday
        weeks[].queries | integer | |
        weeks[].sure | integer | queries | of whose answer hippo was sure
        weeks[].unsure | integer | queries | that something was shown for
        weeks[].none | integer | queries | that found nothing
        weeks[].sure_rate | number or null | 0 to 1 |
        growth | list | |
        growth[].week | text | date |
        growth[].added | integer | entries | in it
        growth[].entries | integer | | up to its end
        sizes | list | | after upkeep, one a day
        sizes[].at | text | date and time |
        sizes[].entries | integer | |
        sizes[].tokens | integer | tokens |
        sizes[].notes | integer | files |
        silent | list of Short entry | | the weakest first
        recall | list | | what was given to agents, by way of asking
        recall[].way | text | | `questions`, `starts of sessions`, `prompts`, `commands and edits`
        recall[].asked | integer | |
        recall[].given | integer | | of these
        recall[].tokens | integer | tokens | of what was given
        opened | integer | | notes that an agent went to after it was given a place in it
        wrong | integer | | answers taken back with `hippo wrong`
        """,
    ),
    Document(
        ("embed",),
        "",
        """
        model | text | |
        dimensions | integer | |
        units | integer | | in all notes
        embedded | integer | texts | that were new
        forgotten | integer | vectors | of texts that are gone
        former | text or null | | the model before, if it was another
        """,
    ),
    Document(("embed --list",), "", "models | list of Model | |"),
    Document(
        ("embed --install",),
        "A model, and `outcome`: `installed`, `already there`, `repaired`.",
        SHARED["Model"] + "outcome | text | |",
    ),
    Document(
        ("embed --remove",),
        "",
        """
        name | text | |
        removed | true or false | | it was there
        folder | text | path |
        """,
    ),
    Document(("open",), "Nothing is opened.", "path | text | path |\nline | integer | line |"),
    Document(("config",), "", "settings | list of Setting | |"),
    Document(("config KEY",), "Of one setting.", SHARED["Setting"]),
    Document(
        ("config --allow-network",),
        "",
        """
        workspace | text | path |
        allowed | true or false | |
        url | text or null | | the server
        """,
    ),
    Document(
        ("watch",),
        "One object a line: see [Watch](../watch.md).",
        """
        event | text | | `watching`, `added`, `changed`, `moved`, `gone`, `cycle`, `refused`, `notice`, `stopped`
        at | text | date and time |
        workspace? | text | path | `watching`, once, when the index is up to date
        pid? | integer | |
        by? | text | | `inotify`, `fsevents`, `windows`, `polling`
        poll_seconds? | number or null | s |
        because? | text or null | | why it polls
        entries? | integer | |
        path? | text or null | path | of a note
        entry? | text or null | id |
        detail? | text | |
        reason? | text | | `stopped`: a signal's name
        syncs? | integer | |
        counts? | object of integer | | of each event
        """,
    ),
)
