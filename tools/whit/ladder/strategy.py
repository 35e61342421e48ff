# SPDX-License-Identifier: MIT
"""Finds the strategy of a response by the request's method and target."""

import re
from collections.abc import Callable, Sequence

from whit.compiler.model import Application
from whit.compiler.strategy import strategies

StrategyOf = Callable[[str, str], Sequence[str]]
"""Maps method and target to strategies: "S0", or the ones that the engine chooses from at run time, its first choice
first; () if unknown."""


def unknown(method: str, target: str) -> Sequence[str]:
    return ()


def of_application(application: Application) -> StrategyOf:
    """Returns the strategies by the application's compiler."""
    by_url: dict[tuple[str, str], Sequence[str]] = {}
    for resource in application.resources:
        for url in resource.urls:
            for strategy in strategies(resource):
                names = re.findall(r"\bS[0-4]\b", strategy.name)
                chosen = names[:1] if names[0] == "S3" else names  # S1 is S3 that was never full
                by_url["/" + url.lstrip("/"), strategy.method] = tuple(chosen)

    def strategy_of(method: str, target: str) -> Sequence[str]:
        path = "/" + target.partition("?")[0].lstrip("/")
        return by_url.get((path, {"HEAD": "GET", "PUT": "POST"}.get(method, method)), ())

    return strategy_of
