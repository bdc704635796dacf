"""The words that the made-up year is written in."""

from __future__ import annotations

PROJECTS = (
    *("Kelpie", "Marigold", "Foxglove", "Tern", "Basalt", "Juniper", "Harrier", "Lantern"),
    *("Osprey", "Quarry", "Saffron", "Thistle", "Umber", "Vesper", "Willow", "Yarrow"),
    *("Anchor", "Bramble", "Cobalt", "Dunlin", "Ember", "Fathom", "Gannet", "Heron"),
    *("Indigo", "Jasper", "Kestrel", "Lichen", "Mistral", "Nimbus", "Onyx", "Pebble"),
)
PEOPLE = (
    *("Ines", "Tobi", "Pri", "Sigrid", "Mateo", "Hana", "Okan", "Ruth", "Ludmila", "Bastian"),
    *("Noor", "Casper", "Wiebke", "Emeka", "Yuki", "Frau Petersen", "Dr. Voss", "Aldo"),
    *("Mireille", "Jonas", "Zeynep", "Henrik", "Paloma", "Gregor", "Amara", "Finn"),
)
VENDORS = (
    *("Brandt & Sohn", "Nordfjord Supplies", "Atlas Works", "Hafenkontor", "Bluebird Ltd"),
    *("Kamps", "Saltmarsh Labs", "Meridian Tools", "Ostwind", "Pilgrim Brothers"),
    *("Castell", "Redwood Partners", "Lindqvist", "Tidewater", "Moor & Co", "Silverline"),
)
PARTS = (
    *("pump", "gateway", "label printer", "cold store", "battery", "firmware", "mooring"),
    *("invoice template", "antenna", "backup drive", "greenhouse", "payroll export", "sensor"),
    *("newsletter", "boiler", "web shop", "camera", "search index", "van", "alarm", "dashboard"),
    *("lease", "database", "compressor", "handbook", "sound desk", "solar roof", "mailing list"),
    *("filter", "thermostat", "ticket queue", "crane", "archive room", "loading dock", "router"),
    *("stage lighting", "bottling line", "key cabinet", "weather mast", "training course"),
    *("freight lift", "test bench", "oven", "certificate", "survey drone", "water tank"),
)
FURTHER = ("", "second ", "third ", "fourth ", "outdoor ")
PLACES = (
    *("the cellar", "hall three", "the boathouse", "the attic", "Bremen", "the red container"),
    *("the workshop", "Porto", "the reading room", "the old dairy", "Tromsø", "the annex"),
    *("the pier office", "the canteen", "Ghent", "the gatehouse", "the paint store", "Lyon"),
)
CAUSES = (
    *("a worn seal", "salt in the plug", "a wrong checksum", "frost over night", "a loose clamp"),
    *("an expired token", "a mouse nest", "two cables swapped", "a full disk", "old grease"),
    *("a cracked hose", "the wrong time zone", "dust on the lens", "a missing comma"),
    *("a power cut", "a bent pin", "stale cache entries", "too long a cable"),
)
FIXES = (
    *("replacing the gasket", "a cold restart", "soldering it again", "rolling back a version"),
    *("cleaning it with vinegar", "a new fuse", "tightening four screws", "rewriting the parser"),
    *("moving it to the other bus", "a longer timeout", "sealing it with resin"),
    *("reading the manual at last", "swapping the board", "turning it by ninety degrees"),
)
QUALITIES = (
    *("smaller", "second", "wireless", "cheaper", "refurbished", "heated", "modular", "leaner"),
    *("quieter", "stainless", "bilingual", "foldable", "managed", "hand-built"),
)
REASONS = (
    *("the old one is out of production", "the insurance asks for it", "winter is coming"),
    *("nobody could repair it", "it halves the running cost", "the auditors insisted"),
    *("the neighbours complained", "it fits through the door", "the children can lift it"),
    *("Hafenkontor dropped the line", "we ran out of ports", "the licence changed"),
)
UNITS = ("bar", "degrees", "volts", "litres", "minutes", "hertz", "percent", "millimetres")
SYMPTOMS = (
    *("it hums", "it drops packets", "the door jams", "it prints blanks", "the fuse blows"),
    *("it forgets the date", "condensation runs down the wall", "the log fills up"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
CHATTER = (
    "Slept badly, {person} brought rolls from the bakery.",
    "Rain all morning; {person} and {other} argued about the window.",
    "{person} is ill, so {other} took the phone.",
    "Long call with {person} that led nowhere, mostly about {place}.",
    "Read half a chapter on tides. {person} recommends the second one.",
    "Lunch with {person} and {other} in {place}: lentils, again.",
    "Answered {number} mails, {person} answered the rest.",
    "{person} found the umbrella in {place}.",
    "Nothing new about the {part}; {person} will ask again.",
    "{person} asked about the {part}, and I had no answer.",
    "Parents' evening, {other} drove. The road to {place} is closed.",
    "Watered the plants. {person} plays the cello better than {other} admits.",
    "The {part} came up again in the coffee break; nobody wrote anything down.",
    "{person}'s birthday cake: {number} candles, {other} counted.",
)
ABOUT = (
    *("visit", "call", "review", "plan", "estimate", "handover", "inspection", "draft"),
    *("comparison", "checklist", "retrospective", "shopping", "rehearsal", "complaint"),
)
