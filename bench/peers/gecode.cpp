// Gecode 6.2 (Debian's libgecode-dev): n queens by constraint propagation, the model of its own examples:
// three distinct constraints, smallest domain first.
//     gecode N
#include <gecode/int.hh>
#include <gecode/minimodel.hh>
#include <gecode/search.hh>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>

class Queens : public Gecode::Space {
  public:
    explicit Queens(int n) : columns_(*this, n, 0, n - 1) {
        Gecode::IntArgs up(n);
        Gecode::IntArgs down(n);
        for (int i = 0; i < n; ++i) {
            up[i] = i;
            down[i] = -i;
        }
        distinct(*this, up, columns_, Gecode::IPL_VAL);
        distinct(*this, down, columns_, Gecode::IPL_VAL);
        distinct(*this, columns_, Gecode::IPL_VAL);
        branch(*this, columns_, Gecode::INT_VAR_SIZE_MIN(), Gecode::INT_VAL_MIN());
    }
    Queens(Queens& other) : Gecode::Space(other) { columns_.update(*this, other.columns_); }
    Gecode::Space* copy() override { return new Queens(*this); }

  private:
    Gecode::IntVarArray columns_;
};

int main(int count, char** words) {
    if (count != 2) return 2;
    const std::clock_t start = std::clock();
    const auto root = std::make_unique<Queens>(std::atoi(words[1]));
    Gecode::DFS<Queens> search(root.get());
    const std::unique_ptr<Queens> found(search.next());
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("1 %.6f %d\n", seconds, found ? 0 : 1);
}
