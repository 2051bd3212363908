"""`scripts/bench cards`: link previews of a photograph that has a master, and polls.

Processor time of the server and its workers for one of them with words that were not asked for before."""

import itertools
import statistics

from benchmarks import avatar, servers

# The most milliseconds, and the address but for its words.
CASES = {
    "card as JPEG": (6.0, "/card?template=article&site=Veduta&author=Anna%20Bell&image=p0.jpg&format=jpeg&title="),
    "card without a photograph": (6.0, "/card?template=article&site=Veduta&author=Anna%20Bell&format=jpeg&title="),
    "poll as PNG": (2.0, "/poll?option=votes:12%7CTrattoria&option=votes:7%7CSushi&option=At%20home&format=png&question="),
}
COUNT = 100


def check(rounds, gate):
    folder = servers.folder_for({})
    avatar.make_photos(folder, 1)
    numbers = itertools.count()
    costs = {case: [] for case in CASES}
    cache = servers.folder_for({})
    with servers.veduta(folder, isolation="all", cache_dir=cache, access_log="off") as server:
        for _, address in CASES.values():
            # Makes the master, and opens the fonts.
            server.get(f"{address}First")
        for _ in range(rounds):
            for case, (_, address) in CASES.items():
                paths = [f"{address}Number%20{next(numbers)}" for _ in range(COUNT)]
                costs[case].append(avatar.cost(server, paths))
    medians = {case: statistics.median(values) for case, values in costs.items()}
    for case, (bound, _) in CASES.items():
        print(f"{case:26} {medians[case]:.2f} ms (at most {bound})")
    return all(medians[case] <= bound for case, (bound, _) in CASES.items()) if gate else None
