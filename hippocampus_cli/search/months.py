"""The names of the months, and which month each means."""

from __future__ import annotations

MONTH_NAMES = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
MONTHS = {name.lower(): number for number, name in enumerate(MONTH_NAMES, 1)}
"""The number of a month, 1 to 12, by its name or abbreviation in lower case."""
MONTHS |= {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9}
_OTHER_MONTHS = (
    *("januar enero", "februar febrero", "märz marzo", "april abril", "mai mayo", "juni junio"),
    *("juli julio", "august agosto", "september septiembre", "oktober octubre"),
    *("november noviembre", "dezember diciembre"),
)
ALL_MONTHS = MONTHS | {
    name: number for number, names in enumerate(_OTHER_MONTHS, 1) for name in names.split()
}
"""The same with the German and Spanish names."""
