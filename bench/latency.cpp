/// Messages between two ranks: how long an empty one takes, and how many bytes a second large ones make.
/// bench/scale compiles and runs it; prints microseconds and GB/s.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

/// Half the time there and back: the median of several rounds of many messages.
double one_way(int rank, std::vector<char>& bytes, int messages) {
    std::vector<double> times(9);
    for (double& time : times) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double began = MPI_Wtime();
        for (int i = 0; i < messages; ++i) {
            const int size = static_cast<int>(bytes.size());
            if (rank == 0) MPI_Send(bytes.data(), size, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(bytes.data(), size, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank == 1) MPI_Send(bytes.data(), size, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        }
        time = (MPI_Wtime() - began) / messages / 2;
    }
    std::ranges::nth_element(times, times.begin() + 4);
    return times[4];
}

} // namespace

int main(int count, char** words) {
    MPI_Init(&count, &words);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<char> nothing;
    std::vector<char> much(4'000'000);
    const double latency = one_way(rank, nothing, 20'000);
    const double large = one_way(rank, much, 50);
    if (rank == 0) std::printf("%.3f %.3f\n", latency * 1e6, static_cast<double>(much.size()) / large / 1e9);
    MPI_Finalize();
}
