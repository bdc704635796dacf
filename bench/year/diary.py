"""What the made-up agent writes, moves and throws away, day by day."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from bench.year.facts import WORDS, Fact, Facts, chatter
from bench.year.world import Change, Page, Part, World

HOT_DAYS = 14
"""For how long a project is the one that most is written and asked about."""
_BEFORE = 30  # days of dailies that are there at the start
_FIRST = 12  # projects at the start
_NEXT = 20  # days until another begins
_ENDS = 30  # days until one is done, and its folder moved
_SOURCES = ("docs", "research", "notes", "meetings")


class Diary:
    """The notes of a year: ``notes`` of them so far, and their facts by project and by day."""

    def __init__(self, first: date, seed: int) -> None:
        self.first = first
        self.world = World()
        self.hot = ""
        self.notes = 0
        self.by_project: dict[str, list[Fact]] = {}
        self.by_day: dict[date, list[Fact]] = {}
        self._dice = random.Random(f"notes {seed}")
        self._facts = Facts(self._dice)
        self._names = list(WORDS["project"])
        self._dice.shuffle(self._names)
        self._running: list[str] = []
        self._folder: dict[str, str] = {}

    def begin(self) -> list[Change]:
        """The workspace on the first day: core files, projects, a month of dailies."""
        start = self.first - timedelta(days=_BEFORE)
        for name in ("MEMORY", "TOOLS", "USER", "AGENTS"):
            headings = self._dice.sample(WORDS["part"], 5)
            parts = [self._chat(heading.capitalize(), 2) for heading in headings]
            self._new(Page(f"{name}.md", name, start, parts))
        for _ in range(_FIRST):
            self._start_project(start)
        for back in range(_BEFORE, 0, -1):
            day = self.first - timedelta(days=back)
            self._turn(day)
            self._daily(day)
        return self.world.taken()

    def day(self, day: date) -> list[Change]:
        """A day: three new notes, and what else happens."""
        number = (day - self.first).days
        self._turn(day)
        self._daily(day)
        self._project_note(day)
        self._other_note(day)
        if number % _NEXT == _NEXT - 1 and self._names:
            self._start_project(day)
        self._housekeeping(day, number)
        return self.world.taken()

    def ranked(self) -> Sequence[str]:
        """The projects that were ever begun, the most popular first; done ones after."""
        done = [name for name in self.by_project if name not in self._running]
        return [*self._running, *done]

    def _turn(self, day: date) -> None:
        """Another project is hot every fortnight."""
        since = (day - self.first).days
        if since % HOT_DAYS == 0 or not self.hot:
            self.hot = self._dice.choice([one for one in self._running if one != self.hot])

    def _new(self, page: Page) -> None:
        self.notes += 1
        self.world.write(page)

    def _tell(self, project: str, day: date, part: str | None = None) -> Fact:
        fact = self._facts.about(project, part)
        self.by_project[project].append(fact)
        self.by_day.setdefault(day, []).append(fact)
        return fact

    def _section(self, heading: str, facts: list[Fact], *, full: bool) -> Part:
        """Facts among lines that say nothing."""
        lines = [fact.full if full else fact.line for fact in facts]
        for _ in range(self._dice.randrange(3)):
            lines.insert(self._dice.randrange(len(lines) + 1), chatter(self._dice))
        return Part(heading, lines, facts)

    def _chat(self, heading: str, lines: int) -> Part:
        return Part(heading, [chatter(self._dice) for _ in range(lines)])

    def _daily(self, day: date) -> None:
        projects = dict.fromkeys((self.hot, *self._by_rank(1)))
        parts = []
        for project in projects:
            facts = [self._tell(project, day) for _ in range(self._dice.randrange(1, 3))]
            named = self._dice.random() < 0.7  # the heading says which project is meant
            heading = project if named else facts[0].part.capitalize()
            parts.append(self._section(heading, facts, full=not named))
        parts.append(self._chat("Small things", self._dice.randrange(2, 5)))
        self._new(Page(f"memory/{day}.md", f"{day}", day, _distinct(parts)))

    def _project_note(self, day: date) -> None:
        project = self.hot if self._dice.random() < 0.6 else self._by_rank(1)[0]
        self._new(self._note(project, day, self._folder[project], full=False))

    def _other_note(self, day: date) -> None:
        project = self._by_rank(1)[0]
        folder = self._dice.choice(_SOURCES)
        self._new(self._note(project, day, f"{folder}/", full=True))

    def _note(self, project: str, day: date, folder: str, *, full: bool) -> Page:
        parts = self._dice.sample(WORDS["part"], self._dice.randrange(1, 4))
        about = f"{parts[0]} {self._dice.choice(WORDS['about'])}"
        slug = about.replace(" ", "-")
        stem = f"{project.lower()}-{slug}" if full else slug
        path = f"{folder}{stem}.md"
        for again in range(2, 99):
            if path not in self.world.pages:
                break
            path = f"{folder}{stem}-{again}.md"
        sections = [
            self._section(
                part.capitalize(),
                [self._tell(project, day, part) for _ in range(self._dice.randrange(1, 3))],
                full=full,
            )
            for part in parts
        ]
        title = f"{project}: {about}" if full else about.capitalize()
        return Page(path, title, day, sections)

    def _start_project(self, day: date) -> None:
        project = self._names.pop()
        self.by_project[project] = []
        self._running.insert(self._dice.randrange(len(self._running) + 1), project)
        self._folder[project] = f"projects/{project.lower()}/"
        parts = [self._chat("Status", 2)]
        for heading in ("Agreements", "Equipment", "People"):
            facts = [self._tell(project, day) for _ in range(2)]
            parts.append(self._section(heading, facts, full=False))
        self._new(Page(f"{self._folder[project]}PROJECT.md", project, day, parts))

    def _housekeeping(self, day: date, number: int) -> None:
        dice = self._dice
        if dice.random() < 0.5:
            self._add_to_project(day)
        if dice.random() < 0.25:
            self._rename_file()
        if dice.random() < 0.33:
            self._rename_heading(day)
        if dice.random() < 0.1:
            self._throw_away(day)
        if number % _ENDS == _ENDS - 1:
            self._end_project()
        if day.day == 1:
            self._defragment(day)

    def _add_to_project(self, day: date) -> None:
        """A fact more in a section of a project's main note."""
        project = self._by_rank(1)[0]
        page = self.world.pages[f"{self._folder[project]}PROJECT.md"]
        part = self._dice.choice(page.parts[1:])
        fact = self._tell(project, day)
        part.facts.append(fact)
        part.lines.append(fact.line)
        self.world.write(page)

    def _rename_file(self) -> None:
        """A note gets another name, and sometimes another folder and a line more."""
        page = self._some_note()
        folder, _, name = page.path.rpartition("/")
        stem = name.removesuffix(".md")
        if not folder.startswith("projects/") and self._dice.random() < 0.4:
            folder = self._dice.choice([one for one in _SOURCES if one != folder])
        else:
            stem = f"{stem}-{self._dice.choice(WORDS['about'])}"
        path = f"{folder}/{stem}.md"
        if path in self.world.pages:
            return
        self.world.move(page, path)
        if self._dice.random() < 0.3:
            page.parts[0].lines.append(chatter(self._dice))
            self.world.write(page)

    def _rename_heading(self, day: date) -> None:
        page = self._some_note()
        part = self._dice.choice(page.parts)
        new = (
            f"{part.heading} {self._dice.choice(('in detail', f'as of {day:%B}', 'and the rest'))}"
        )
        if all(one.heading != new for one in page.parts):
            part.heading = new
            self.world.write(page)

    def _throw_away(self, day: date) -> None:
        old = [one for one in self._notes() if (day - one.day).days > 20]
        if old:
            self.world.remove(self._dice.choice(old))

    def _end_project(self) -> None:
        """The least popular project is done: its folder goes below ``projects/done``."""
        project = next(one for one in reversed(self._running) if one != self.hot)
        self._running.remove(project)
        self.world.move_folder(self._folder[project], f"projects/done/{project.lower()}/")
        self._folder[project] = f"projects/done/{project.lower()}/"

    def _defragment(self, day: date) -> None:
        """Dailies of the month before last go into that month's archive, and the log says so."""
        last = day - timedelta(days=1)
        before = last.replace(day=1) - timedelta(days=1)
        month = f"{before:%Y-%m}"
        dailies = self.world.choose(lambda page: page.path.startswith(f"memory/{month}-"))
        if not dailies:
            return
        self.world.fold(dailies, Page(f"memory/archive/{month}.md", month, day))
        log = self.world.pages.get("memory/defrag-log.md")
        log = log or Page("memory/defrag-log.md", "Defrag log", day)
        said = f"Archived: {len(dailies)} daily notes → archive/{month}.md"
        log.parts.append(Part(f"{day} 01:00 — Defrag Complete", [said]))
        self.world.write(log)

    def _by_rank(self, most: int) -> list[str]:
        """Running projects by Zipf's law: the second is written about half as often as the first."""
        weights = [1 / rank for rank in range(1, len(self._running) + 1)]
        return self._dice.choices(self._running, weights, k=most)

    def _notes(self) -> list[Page]:
        """Notes that people rename and throw away: no core files, main notes, dailies or archives."""
        return self.world.choose(
            lambda page: "/" in page.path and not page.path.startswith("memory/") and _is_side(page)
        )

    def _some_note(self) -> Page:
        return self._dice.choice(self._notes())


def _is_side(page: Page) -> bool:
    return not page.path.endswith("/PROJECT.md")


def _distinct(parts: Sequence[Part]) -> list[Part]:
    """The sections, a heading that comes twice with a number."""
    return list(_numbered(parts))


def _numbered(parts: Sequence[Part]) -> Iterator[Part]:
    seen: set[str] = set()
    for part in parts:
        if part.heading in seen:
            part.heading = f"{part.heading} again"
        seen.add(part.heading)
        yield part
