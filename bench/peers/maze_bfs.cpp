// The way through 20 × 20 mazes as one would write it by hand: breadth-first search, ended at the exit, with
// arrays that live as long as the program. Three cells in ten are rock, at random: such mazes are quicker to
// walk than evolved ones. Prints mazes, CPU seconds and the sum of lengths.
//     maze_bfs COUNT SEED
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

constexpr int side = 20;

int exit_path(const std::vector<char>& rock) {
    static std::array<int, side * side> distance;
    static std::array<int, side * side> queue;
    distance.fill(-1);
    distance[0] = 0;
    queue[0] = 0;
    for (int next = 0, end = 1; next < end; ++next) {
        const int at = queue[next];
        if (at == side * side - 1) return distance[at];
        const int x = at % side;
        const int y = at / side;
        const auto visit = [&](bool inside, int to) {
            if (!inside || rock[to] || distance[to] >= 0) return;
            distance[to] = distance[at] + 1;
            queue[end++] = to;
        };
        visit(y > 0, at - side);
        visit(x > 0, at - 1);
        visit(x < side - 1, at + 1);
        visit(y < side - 1, at + side);
    }
    return -1;
}

int main(int count, char** words) {
    if (count != 3) return 2;
    std::mt19937 random(static_cast<unsigned>(std::atoi(words[2])));
    std::bernoulli_distribution is_rock(0.3);
    std::vector<std::vector<char>> mazes(std::atoi(words[1]), std::vector<char>(side * side));
    for (auto& maze : mazes) {
        for (int i = 0; i < side * side; ++i) maze[i] = is_rock(random);
        maze.front() = maze.back() = false;
    }
    const std::clock_t start = std::clock();
    long total = 0;
    for (const auto& maze : mazes) total += exit_path(maze);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%zu %.6f %ld\n", mazes.size(), seconds, total);
}
