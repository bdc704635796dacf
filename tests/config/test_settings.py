from __future__ import annotations

import pytest

from hippocampus_cli.config.rules import accept
from hippocampus_cli.config.settings import settings


@pytest.mark.parametrize("key", sorted(settings()))
def test_every_setting_is_explained_and_its_default_obeys_its_own_rule(key: str) -> None:
    default, rule = settings()[key]
    assert rule.doc
    assert (
        accept(list(default) if isinstance(default, tuple) else default, default, rule) == default
    )


def test_no_two_keys_share_an_environment_variable() -> None:
    assert len({key.replace(".", "_") for key in settings()}) == len(settings())
