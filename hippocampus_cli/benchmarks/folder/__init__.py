"""``hippo bench workspace``: one's own notes, asked for what stands in them."""
