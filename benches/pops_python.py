"""Times what a Python user would take for the permutations and colourings of benches/pops.rs: networkx and SciPy.

Usage: python3 benches/pops_python.py

A permutation of POPS(d,g) is routed in two hops by an edge colouring of a bipartite multigraph: g nodes a side, an edge from the group of
each source to that of its destination, d·g edges, every degree d. Neither library colours the edges of a bipartite graph. What there is:

  scipy             d maximum matchings one after the other (scipy.sparse.csgraph.maximum_bipartite_matching), each taken away
  networkx          the same with nx.bipartite.hopcroft_karp_matching
  networkx, greedy  greedy colouring of the line graph (nx.greedy_color), which may need up to 2d-1 colours

Prints seconds of the processor, the best of three (of one above ten seconds), and colours; sizes that would take minutes are left out.
"""

import random
import sys
import time

try:
    import networkx as nx
    import numpy as np
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import maximum_bipartite_matching
except ModuleNotFoundError as missing:
    sys.exit(f"{missing.name} is missing; type: python3 -m pip install networkx scipy")

# (d, g), and who is asked.
SIZES = [
    (16, 16, ("scipy", "networkx", "networkx, greedy")),
    (64, 64, ("scipy", "networkx", "networkx, greedy")),
    (256, 256, ("scipy", "networkx")),
    (16384, 64, ("scipy",)),
]


def demands(d, g):
    """Packets from group to group of a random permutation of d·g processors, g × g."""
    permutation = list(range(d * g))
    random.Random(1).shuffle(permutation)
    count = np.zeros((g, g), dtype=np.int32)
    np.add.at(count, (np.arange(d * g) // d, np.array(permutation) // d), 1)
    return count


def by_scipy(count):
    """A list of matchings, the column of each row."""
    left, colours = count.copy(), []
    rows = np.arange(len(count))
    while left.any():
        columns = maximum_bipartite_matching(csr_matrix(left), perm_type="column")
        left[rows, columns] -= 1
        colours.append(columns)
    return colours


def by_networkx(count):
    """A list of matchings, the column of each row."""
    left, colours, g = count.copy(), [], len(count)
    graph = nx.Graph((int(a), g + int(b)) for a, b in zip(*left.nonzero()))
    while graph.number_of_edges():
        matching = nx.bipartite.hopcroft_karp_matching(graph, range(g))
        columns = np.array([matching[a] - g for a in range(g)])
        for a, b in enumerate(columns):
            left[a, b] -= 1
            if not left[a, b]:
                graph.remove_edge(a, g + int(b))
        colours.append(columns)
    return colours


def by_greed(count):
    """A list of sets of edges (row, column, number)."""
    g = len(count)
    graph = nx.MultiGraph()
    for a, b in zip(*count.nonzero()):
        graph.add_edges_from([(int(a), g + int(b))] * int(count[a, b]))
    colour = nx.greedy_color(nx.line_graph(graph), strategy="largest_first")
    assert len(colour) == count.sum(), "edges without a colour"
    colours = [[] for _ in range(max(colour.values()) + 1)]
    for edge, number in colour.items():
        colours[number].append(edge)
    return colours


def holds(count, colours):
    """Whether matchings have every packet once: their columns differ, and together they are the demands."""
    total = np.zeros_like(count)
    for columns in colours:
        total[np.arange(len(count)), columns] += 1
        if len(set(columns.tolist())) != len(count):
            return False
    return (total == count).all()


def best(function, count):
    """Seconds of the processor, the best of three or of one above ten seconds, and what came out."""
    seconds = []
    while len(seconds) < 3 and sum(seconds) < 10:
        start = time.process_time()
        result = function(count)
        seconds.append(time.process_time() - start)
    return min(seconds), result


def main():
    functions = {"scipy": by_scipy, "networkx": by_networkx, "networkx, greedy": by_greed}
    print("| (d,g) | edges | by | seconds | colours |\n|---|---|---|---|---|")
    for d, g, names in SIZES:
        count = demands(d, g)
        for name in names:
            seconds, colours = best(functions[name], count)
            if name != "networkx, greedy" and not holds(count, colours):
                sys.exit(f"{name} does not colour POPS({d},{g})")
            print(f"| ({d},{g}) | {d * g} | {name} | {seconds:.3g} | {len(colours)} |", flush=True)


if __name__ == "__main__":
    main()
