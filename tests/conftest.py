from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "ci", deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
settings.register_profile(
    "long", deadline=None, max_examples=3000, suppress_health_check=list(HealthCheck)
)
settings.load_profile("ci")
