#include <knossos/core/error.hpp>
#include <knossos/render/zip.hpp>

#include <fmt/format.h>

#include <memory>
#include <zip.h>

namespace knossos::render {

namespace {

// The first day that a ZIP can name, midnight: no file tells when it was made.
constexpr zip_uint16_t first_date = 1U << 5U | 1U;

struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct Free {
    void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using Source = std::unique_ptr<zip_source_t, Free>;

[[noreturn]] void fail(zip_error_t& error) {
    const std::string why = zip_error_strerror(&error);
    zip_error_fini(&error);
    throw InputOutputError{fmt::format("a ZIP could not be made: {}", why)};
}

[[noreturn]] void fail(zip_t* archive) {
    throw InputOutputError{fmt::format("a ZIP could not be made: {}", zip_strerror(archive))};
}

void add(zip_t* archive, const NamedBytes& file) {
    Source source{zip_source_buffer(archive, file.bytes.data(), file.bytes.size(), 0)};
    if (!source) fail(archive);
    const zip_int64_t index = zip_file_add(archive, file.name.c_str(), source.get(), ZIP_FL_ENC_UTF_8);
    if (index < 0) fail(archive);
    (void)source.release(); // now the archive's
    const auto number = static_cast<zip_uint64_t>(index);
    if (zip_file_set_dostime(archive, number, 0, first_date, 0) != 0 ||
        zip_set_file_compression(archive, number, ZIP_CM_DEFLATE, 9) != 0)
        fail(archive);
}

std::string content_of(zip_source_t* source) {
    zip_stat_t about;
    if (zip_source_stat(source, &about) != 0 || zip_source_open(source) != 0) fail(*zip_source_error(source));
    std::string bytes(about.size, '\0');
    const zip_int64_t read = zip_source_read(source, bytes.data(), bytes.size());
    zip_source_close(source);
    if (read < 0 || static_cast<std::size_t>(read) != bytes.size()) fail(*zip_source_error(source));
    return bytes;
}

} // namespace

std::string to_zip(std::span<const NamedBytes> files) {
    zip_error_t error;
    zip_error_init(&error);
    const Source whole{zip_source_buffer_create(nullptr, 0, 0, &error)};
    if (!whole) fail(error);
    zip_source_keep(whole.get()); // to be read when the archive is closed
    std::unique_ptr<zip_t, Discard> archive{
        zip_open_from_source(whole.get(), ZIP_CREATE | ZIP_TRUNCATE, &error)};
    if (!archive) {
        zip_source_free(whole.get());
        fail(error);
    }
    for (const NamedBytes& file : files) add(archive.get(), file);
    if (zip_close(archive.get()) != 0) fail(archive.get());
    (void)archive.release();
    return content_of(whole.get());
}

} // namespace knossos::render
