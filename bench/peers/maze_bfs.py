"""The way through 20 × 20 mazes by breadth-first search in plain Python: prints mazes, CPU seconds and the sum of lengths.

Usage: maze_bfs.py COUNT SEED
"""

import random
import sys
import time
from collections import deque

count, seed = (int(word) for word in sys.argv[1:3])
random.seed(seed)
side = 20
mazes = [[random.random() < 0.3 for _ in range(side * side)] for _ in range(count)]
for maze in mazes:
    maze[0] = maze[-1] = False


def exit_path(rock):
    distance = [-1] * (side * side)
    distance[0] = 0
    queue = deque([0])
    while queue:
        at = queue.popleft()
        if at == side * side - 1:
            return distance[at]
        x = at % side
        for to, inside in ((at - side, at >= side), (at - 1, x > 0), (at + 1, x < side - 1), (at + side, at < side * (side - 1))):
            if inside and not rock[to] and distance[to] < 0:
                distance[to] = distance[at] + 1
                queue.append(to)
    return -1


start = time.process_time()
total = sum(exit_path(maze) for maze in mazes)
print(count, time.process_time() - start, total)
