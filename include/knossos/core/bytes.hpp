#pragma once

#include <knossos/core/error.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knossos {

static_assert(std::endian::native == std::endian::little, "snapshots are written as little-endian memory");

/// Appends values to a block of bytes.
class ByteWriter {
  public:
    explicit ByteWriter(std::size_t expected = 0) { bytes_.reserve(expected); }
    template <class T>
        requires std::is_trivially_copyable_v<T>
    void put(const T& value) {
        put_bytes(std::as_bytes(std::span{&value, 1}));
    }
    void put_bytes(std::span<const std::byte> bytes) {
        const std::size_t had = bytes_.size();
        bytes_.resize(had + bytes.size());
        if (!bytes.empty()) std::memcpy(bytes_.data() + had, bytes.data(), bytes.size());
    }
    void put_text(std::string_view text) {
        put(std::uint64_t{text.size()});
        put_bytes(std::as_bytes(std::span{text}));
    }
    [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

  private:
    std::vector<std::byte> bytes_;
};

/// Reads them back; runs past the end of a truncated block with an error, never with garbage.
class ByteReader {
  public:
    /// `what` is what messages call it.
    explicit ByteReader(std::span<const std::byte> bytes, std::string_view what = "the snapshot")
        : bytes_{bytes}, what_{what} {}

    template <class T>
        requires std::is_trivially_copyable_v<T>
    T get() {
        T value;
        std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
        return value;
    }
    std::span<const std::byte> take(std::size_t size) {
        if (size > bytes_.size())
            throw InvalidInput{std::string{what_} + " ends too early: it is truncated or damaged"};
        const auto taken = bytes_.first(size);
        bytes_ = bytes_.subspan(size);
        return taken;
    }
    std::string get_text() {
        const auto bytes = take(get<std::uint64_t>());
        std::string text(bytes.size(), '\0');
        if (!bytes.empty()) std::memcpy(text.data(), bytes.data(), bytes.size());
        return text;
    }
    [[nodiscard]] bool empty() const { return bytes_.empty(); }
    [[nodiscard]] std::size_t left() const { return bytes_.size(); }

  private:
    std::span<const std::byte> bytes_;
    std::string_view what_;
};

} // namespace knossos
