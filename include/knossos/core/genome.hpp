#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace knossos {

enum class GenomeKind : unsigned char { bits, packed, integers, permutation, reals };

std::string_view to_string(GenomeKind kind);

/// Where a real gene lies, the ends included. Both ends may be the same: then the gene is fixed.
struct Bounds {
    double low = 0.0;
    double high = 1.0;

    [[nodiscard]] constexpr double width() const { return high - low; }
    /// False for what is not a number.
    [[nodiscard]] constexpr bool contains(double value) const { return value >= low && value <= high; }
    friend constexpr bool operator==(const Bounds&, const Bounds&) = default;
};

/// What the genomes of a population are: their kind, length and alphabet, and how wide a gene is stored.
/// Copies share the bounds of single genes.
struct Space {
    GenomeKind kind = GenomeKind::bits;
    std::size_t length = 0;
    std::uint32_t alphabet = 2;        ///< packed genes and integers are 0 .. alphabet − 1; 0 for reals
    std::optional<std::size_t> ones{}; ///< bits: every genome has exactly this many ones
    unsigned gene_bytes = 0;           ///< 1, 2 or 4 for integers and permutations; 0 for packed bits
    Bounds common_bounds{};            ///< reals: of every gene, unless each has its own
    std::shared_ptr<const std::vector<Bounds>> own_bounds{}; ///< reals: gene by gene, if they differ

    static Space bits(std::size_t length);
    static Space bits_with_ones(std::size_t length, std::size_t ones);
    /// Integers of ceil(log2 alphabet) bits each, side by side in the words.
    static Space packed(std::size_t length, std::uint32_t alphabet);
    static Space integers(std::size_t length, std::uint32_t alphabet);
    static Space permutation(std::size_t length);
    /// Real numbers, all within the same bounds.
    static Space reals(std::size_t length, Bounds bounds);
    /// Real numbers, each within its own bounds.
    static Space reals(std::vector<Bounds> bounds);

    /// Of a real gene.
    [[nodiscard]] const Bounds& bounds(std::size_t i) const {
        return own_bounds ? (*own_bounds)[i] : common_bounds;
    }

    /// Bits that one packed gene takes.
    [[nodiscard]] std::size_t gene_bits() const {
        return alphabet < 2 ? 1 : static_cast<std::size_t>(std::bit_width(alphabet - 1));
    }

    /// Bits that one gene takes in storage.
    [[nodiscard]] std::size_t bits_per_gene() const {
        if (kind == GenomeKind::bits) return 1;
        return kind == GenomeKind::packed ? gene_bits() : std::size_t{gene_bytes} * 8;
    }

    /// Bytes that one genome takes, in whole 64-bit words.
    [[nodiscard]] std::size_t genome_bytes() const { return (length * bits_per_gene() + 63) / 64 * 8; }

    friend bool operator==(const Space& a, const Space& b);
};

/// "bits of length 64", "permutations of 8": for messages.
std::string describe(const Space& space);

/// Number of ones in the words. Without a popcount instruction, which a portable binary may not assume,
/// std::popcount is a library call for each word; counting bytewise in all words at once is several times as
/// fast.
constexpr std::size_t count_ones(std::span<const std::uint64_t> words) {
#ifdef __POPCNT__
    std::size_t total = 0;
    for (const auto word : words) total += static_cast<std::size_t>(std::popcount(word));
    return total;
#else
    constexpr std::size_t most = 31; // words whose counts of up to 8 per byte fit the bytes of one sum
    std::size_t total = 0;
    for (std::size_t begin = 0; begin < words.size(); begin += most) {
        const std::size_t end = begin + most < words.size() ? begin + most : words.size();
        std::uint64_t sums = 0;
        for (std::size_t w = begin; w < end; ++w) {
            std::uint64_t word = words[w];
            word -= word >> 1U & 0x5555555555555555U;
            word = (word & 0x3333333333333333U) + (word >> 2U & 0x3333333333333333U);
            sums += (word + (word >> 4U)) & 0x0F0F0F0F0F0F0F0FU;
        }
        // Neighbouring bytes are added before the product, whose top byte would overflow.
        sums = (sums & 0x00FF00FF00FF00FFU) + (sums >> 8U & 0x00FF00FF00FF00FFU);
        total += sums * 0x0001000100010001U >> 48U;
    }
    return total;
#endif
}

/// A genome of packed bits, seen in place: bit i is bit i mod 64 of word i div 64; bits past the length are
/// zero.
template <class Word>
    requires std::same_as<std::remove_const_t<Word>, std::uint64_t>
class BasicBits {
  public:
    using Element = Word;

    constexpr BasicBits(Word* words, std::size_t length) : words_{words}, length_{length} {}
    constexpr operator BasicBits<const std::uint64_t>() const { return {words_, length_}; }

    [[nodiscard]] constexpr std::size_t size() const { return length_; }
    [[nodiscard]] constexpr std::span<Word> words() const { return {words_, (length_ + 63) / 64}; }
    [[nodiscard]] constexpr bool operator[](std::size_t i) const {
        return (words_[i / 64] >> i % 64 & 1U) != 0;
    }

    [[nodiscard]] constexpr std::size_t count() const { return count_ones(words()); }

    constexpr void flip(std::size_t i) const
        requires(!std::is_const_v<Word>)
    {
        words_[i / 64] ^= std::uint64_t{1} << i % 64;
    }

    constexpr void set(std::size_t i, bool value) const
        requires(!std::is_const_v<Word>)
    {
        const std::uint64_t mask = std::uint64_t{1} << i % 64;
        words_[i / 64] = value ? words_[i / 64] | mask : words_[i / 64] & ~mask;
    }

  private:
    Word* words_;
    std::size_t length_;
};

using Bits = BasicBits<std::uint64_t>;
using BitView = BasicBits<const std::uint64_t>;

/// Integers 0 .. alphabet − 1 of as few bits as they need, side by side in 64-bit words; a gene may straddle
/// two words.
template <class Word>
    requires std::same_as<std::remove_const_t<Word>, std::uint64_t>
class BasicPacked {
  public:
    using Element = Word;

    constexpr BasicPacked(Word* words, std::size_t length, std::uint32_t alphabet)
        : words_{words}, length_{length}, alphabet_{alphabet},
          width_{alphabet < 2 ? 1U : static_cast<unsigned>(std::bit_width(alphabet - 1))} {}
    constexpr operator BasicPacked<const std::uint64_t>() const { return {words_, length_, alphabet_}; }

    [[nodiscard]] constexpr std::size_t size() const { return length_; }
    [[nodiscard]] constexpr std::uint32_t alphabet() const { return alphabet_; }
    [[nodiscard]] constexpr std::size_t gene_bits() const { return width_; }
    /// The same genome as plain bits.
    [[nodiscard]] constexpr BasicBits<Word> bits() const { return {words_, length_ * width_}; }

    [[nodiscard]] constexpr std::uint32_t operator[](std::size_t i) const {
        const std::size_t bit = i * width_;
        std::uint64_t value = words_[bit / 64] >> bit % 64;
        // A gene has at most 32 bits, so bit % 64 is not 0 here.
        // NOLINTNEXTLINE(clang-analyzer-core.BitwiseShift)
        if (bit % 64 + width_ > 64) value |= words_[bit / 64 + 1] << (64 - bit % 64);
        return static_cast<std::uint32_t>(value & ((std::uint64_t{1} << width_) - 1));
    }

    constexpr void set(std::size_t i, std::uint32_t value) const
        requires(!std::is_const_v<Word>)
    {
        const std::size_t bit = i * width_;
        const std::uint64_t mask = (std::uint64_t{1} << width_) - 1;
        Word& low = words_[bit / 64];
        low = (low & ~(mask << bit % 64)) | std::uint64_t{value} << bit % 64;
        if (bit % 64 + width_ > 64) {
            Word& high = words_[bit / 64 + 1];
            high = (high & ~(mask >> (64 - bit % 64))) | std::uint64_t{value} >> (64 - bit % 64);
        }
    }

  private:
    Word* words_;
    std::size_t length_;
    std::uint32_t alphabet_;
    unsigned width_;
};

using Packed = BasicPacked<std::uint64_t>;
using PackedView = BasicPacked<const std::uint64_t>;

/// What integer genomes and permutations share: a run of genes, seen in place.
template <class Gene>
class Genes {
  public:
    using Element = Gene;

    constexpr Genes(Gene* genes, std::size_t length) : genes_{genes}, length_{length} {}
    constexpr operator std::span<Gene>() const { return {genes_, length_}; }
    constexpr operator std::span<const Gene>() const
        requires(!std::is_const_v<Gene>)
    {
        return {genes_, length_};
    }

    [[nodiscard]] constexpr std::size_t size() const { return length_; }
    [[nodiscard]] constexpr Gene& operator[](std::size_t i) const { return genes_[i]; }
    [[nodiscard]] constexpr Gene* data() const { return genes_; }
    [[nodiscard]] constexpr Gene* begin() const { return genes_; }
    [[nodiscard]] constexpr Gene* end() const { return genes_ + length_; }

  private:
    Gene* genes_;
    std::size_t length_;
};

/// A genome of integers 0 .. alphabet − 1.
template <class Gene>
class Integers : public Genes<Gene> {
  public:
    constexpr Integers(Gene* genes, std::size_t length, std::uint32_t alphabet)
        : Genes<Gene>{genes, length}, alphabet_{alphabet} {}
    constexpr operator Integers<const Gene>() const
        requires(!std::is_const_v<Gene>)
    {
        return {this->data(), this->size(), alphabet_};
    }

    [[nodiscard]] constexpr std::uint32_t alphabet() const { return alphabet_; }
    constexpr void set(std::size_t i, std::uint32_t value) const
        requires(!std::is_const_v<Gene>)
    {
        (*this)[i] = static_cast<Gene>(value);
    }

  private:
    std::uint32_t alphabet_;
};

template <class Gene>
using IntegerView = Integers<const Gene>;

/// A genome that holds each of 0 .. length − 1 exactly once.
template <class Gene>
class Permutation : public Genes<Gene> {
  public:
    using Genes<Gene>::Genes;
    constexpr operator Permutation<const Gene>() const
        requires(!std::is_const_v<Gene>)
    {
        return {this->data(), this->size()};
    }
};

template <class Gene>
using PermutationView = Permutation<const Gene>;

/// A genome of real numbers, each within its bounds.
template <class Gene>
    requires std::same_as<std::remove_const_t<Gene>, double>
class BasicReals : public Genes<Gene> {
  public:
    constexpr BasicReals(Gene* genes, std::size_t length, Bounds common, const Bounds* own = nullptr)
        : Genes<Gene>{genes, length}, common_{common}, own_{own} {}
    constexpr operator BasicReals<const double>() const
        requires(!std::is_const_v<Gene>)
    {
        return {this->data(), this->size(), common_, own_};
    }

    [[nodiscard]] constexpr const Bounds& bounds(std::size_t i) const {
        return own_ != nullptr ? own_[i] : common_;
    }

  private:
    Bounds common_;
    const Bounds* own_; ///< gene by gene; the space's
};

using Reals = BasicReals<double>;
using RealView = BasicReals<const double>;

/// The genome at `bytes` as the given view, which must be the one that fits the space.
template <class View, class Byte>
View view_as(const Space& space, Byte* bytes) {
    auto* const elements = reinterpret_cast<typename View::Element*>(bytes);
    if constexpr (requires(View view) { view.alphabet(); })
        return View{elements, space.length, space.alphabet};
    else if constexpr (requires(View view) { view.bounds(0); })
        return View{elements, space.length, space.common_bounds,
                    space.own_bounds ? space.own_bounds->data() : nullptr};
    else
        return View{elements, space.length};
}

/// Calls function with the genome at `bytes` as what it is: Bits, Packed, Integers<Gene>, Permutation<Gene>
/// or Reals (the views, if bytes are const). This is the one place that turns a space into static types.
template <class Byte, class Function>
    requires std::same_as<std::remove_const_t<Byte>, std::byte>
decltype(auto) visit_genome(const Space& space, Byte* bytes, Function&& function) {
    const auto typed = [&]<class Gene>(Gene) -> decltype(auto) {
        using Stored = std::conditional_t<std::is_const_v<Byte>, const Gene, Gene>;
        return space.kind == GenomeKind::integers ? function(view_as<Integers<Stored>>(space, bytes))
                                                  : function(view_as<Permutation<Stored>>(space, bytes));
    };
    using Word = std::conditional_t<std::is_const_v<Byte>, const std::uint64_t, std::uint64_t>;
    if (space.kind == GenomeKind::bits) return function(view_as<BasicBits<Word>>(space, bytes));
    if (space.kind == GenomeKind::packed) return function(view_as<BasicPacked<Word>>(space, bytes));
    using Real = std::conditional_t<std::is_const_v<Byte>, const double, double>;
    if (space.kind == GenomeKind::reals) return function(view_as<BasicReals<Real>>(space, bytes));
    if (space.gene_bytes == 1) return typed(std::uint8_t{});
    if (space.gene_bytes == 2) return typed(std::uint16_t{});
    return typed(std::uint32_t{});
}

/// Whether the space's genomes are of a kind that the predicate type accepts: Accepts<View>() for its mutable
/// view.
template <class Predicate>
bool space_fits(const Space& space, Predicate predicate) {
    return visit_genome(space, static_cast<std::byte*>(nullptr),
                        [&]<class View>(View) { return predicate.template operator()<View>(); });
}

/// Number of positions in which two genomes of a space differ.
std::size_t hamming_distance(const Space& space, const std::byte* a, const std::byte* b);

/// How far apart two genomes are, in genes: in how many positions they differ; of reals the sum of their
/// differences, each as a share of what the bounds of its gene allow.
double genome_distance(const Space& space, const std::byte* a, const std::byte* b);

/// The genes as text: "0110…" for bits, "[5, 1, 6]" for the others. Reals have as many digits as it takes to
/// read the same number again.
std::string to_text(const Space& space, const std::byte* genome);

} // namespace knossos
