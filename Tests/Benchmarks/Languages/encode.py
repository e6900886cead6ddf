"""The values of `statesurf-bench run encode-json`, written by orjson with sorted keys."""

import statistics
import time

import orjson


def measure(label, batch, value):
    figures, size = [], 0
    for repetition in range(18):
        start = time.perf_counter()
        for _ in range(batch):
            size = len(orjson.dumps(value, option=orjson.OPT_SORT_KEYS))
        if repetition >= 3:
            figures.append((time.perf_counter() - start) * 1e6 / batch)
    print(f"encode-orjson-{label:<9} {statistics.median(figures):9.2f} us  {size} octets")


items = [
    {"id": id, "title": "buy milk, bread and butter", "isDone": False, "tags": ["a", "b"]}
    for id in range(72)
]
measure("5k", 100, {"items": items})
measure("integers", 1_000, [n * 7_919 for n in range(100)])
measure("strings", 500, [f"{n + 100} {'lorem ipsum, ' * 7}ab" for n in range(100)])
measure(
    "structs",
    20,
    [
        {"name": f"p{n}", "latitude": n / 16, "longitude": 11.25, "isOpen": n % 2 == 0}
        for n in range(1_000)
    ],
)
