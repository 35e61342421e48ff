# SPDX-License-Identifier: MIT
"""The deepest chain of calls."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from whit.image.stack.model import StackError
from whit.image.stack.walk import Call, Walked


@dataclass(frozen=True)
class Link:
    """A function on the stack. `len`: octets that it takes until it calls the next one, the return address included."""

    address: int
    len: int


@dataclass(frozen=True)
class Chain:
    links: tuple[Link, ...]

    @property
    def len(self) -> int:
        return sum(link.len for link in self.links)


@dataclass(frozen=True)
class _Edge:
    len: int
    to: int


class Graph:
    """Functions by address. `again`: how often a function may be on the stack at once, where that is more than once."""

    def __init__(
        self,
        walked: Mapping[int, Walked],
        targets: Callable[[Call], Sequence[int]],
        return_len: int,
        again: Mapping[int, int],
        name: Callable[[int], str],
    ) -> None:
        self._walked = walked
        self._again = again
        self._name = name
        self._edges = {
            address: [
                _Edge(call.depth + (0 if call.tail else return_len), target)
                for call in sorted(one.calls, key=lambda call: (call.address, call.depth))
                for target in targets(call)
            ]
            for address, one in walked.items()
        }
        self._groups = {address: group for group in _components(self._edges) for address in group}
        self._best: dict[int, Chain] = {}

    def deepest(self, root: int) -> Chain:
        if root in self._best:
            return self._best[root]
        group = self._groups[root]
        is_cyclic = len(group) > 1 or any(edge.to == root for edge in self._edges[root])
        self._best[root] = self._of_cycle(root, group) if is_cyclic else self._of_function(root)
        return self._best[root]

    def _of_function(self, address: int) -> Chain:
        best = Chain((Link(address, self._walked[address].depth),))
        for edge in self._edges[address]:
            below = self.deepest(edge.to)
            if edge.len + below.len > best.len:
                best = Chain((Link(address, edge.len), *below.links))
        return best

    def _of_cycle(self, root: int, group: frozenset[int]) -> Chain:
        """Returns the deepest chain of a cycle. Unbounded functions are on the stack once between two bounded ones."""
        self._check_bounded(group)
        inner = {
            address: max([self._walked[address].depth, *(edge.len for edge in self._edges[address])])
            for address in group
        }
        rounds = sum(self._again.get(address, 0) for address in group) + 1
        links = [Link(address, inner[address] * self._again.get(address, rounds)) for address in sorted(group)]
        links.sort(key=lambda link: link.address != root)
        outside = [self.deepest(edge.to) for address in group for edge in self._edges[address] if edge.to not in group]
        below = max(outside, key=lambda chain: chain.len, default=Chain(()))
        return Chain((*links, *below.links))

    def _check_bounded(self, group: frozenset[int]) -> None:
        rest = group - self._again.keys()
        edges = {address: [edge for edge in self._edges[address] if edge.to in rest] for address in rest}
        for cycle in _components(edges):
            first = min(cycle)
            if len(cycle) == 1 and all(edge.to != first for edge in self._edges[first]):
                continue
            raise Recursion([*self._round(first, cycle), first], self._name)

    def _round(self, first: int, cycle: frozenset[int]) -> list[int]:
        """The shortest way from `first` back to it."""
        ways: list[list[int]] = [[first]]
        seen = {first}
        while ways:
            way = ways.pop(0)
            for edge in self._edges[way[-1]]:
                if edge.to == first:
                    return way
                if edge.to in cycle and edge.to not in seen:
                    seen.add(edge.to)
                    ways.append([*way, edge.to])
        return [first]


class Recursion(StackError):
    """`addresses`: the way from a function to itself."""

    def __init__(self, addresses: list[int], name: Callable[[int], str]) -> None:
        super().__init__(" → ".join(f"{name(address)}()" for address in addresses))
        self.addresses = addresses


def _components(edges: Mapping[int, Sequence[_Edge]]) -> Iterator[frozenset[int]]:
    """Strongly connected components (Tarjan), without recursion of our own."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    for start in edges:
        if start in index:
            continue
        work: list[tuple[int, Iterator[_Edge]]] = []

        def enter(address: int, work: list[tuple[int, Iterator[_Edge]]] = work) -> None:
            index[address] = low[address] = len(index)
            stack.append(address)
            on_stack.add(address)
            work.append((address, iter(edges[address])))

        enter(start)
        while work:
            address, following = work[-1]
            for edge in following:
                if edge.to not in index:
                    enter(edge.to)
                    break
                if edge.to in on_stack:
                    low[address] = min(low[address], index[edge.to])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[address])
                if low[address] == index[address]:
                    place = stack.index(address)
                    component = frozenset(stack[place:])
                    del stack[place:]
                    on_stack.difference_update(component)
                    yield component
