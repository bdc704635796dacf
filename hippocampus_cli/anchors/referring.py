"""Messages that speak of a project without naming it: "our papers", "it" (ANCHOR, ``lookup``). Pure."""

from __future__ import annotations

import re

# Words that stand for what was spoken of before. Those of other languages are the unmistakable ones.
_REFERRING = re.compile(
    r"\b(?:it|its|this|that|these|those|our|ours|we|us|they|them|their|theirs|there|here"
    r"|the (?:project|papers?|repo|repository|codebase|app|product|customer|client|team|other one)"
    r"|unser\w*|dieses|diesem|dessen|notre|nos|ce projet|nuestr[oa]s?|este proyecto|nosso|nossa)\b"
    r"|我们的?|这个|那个|它|この|その|それ|うちの|우리|이것|그것|наш\w*|это|этот|этого",
    re.IGNORECASE,
)


def refers(message: str) -> bool:
    """Whether ``message`` speaks of something that it does not name."""
    return bool(_REFERRING.search(message))
