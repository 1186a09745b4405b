#pragma once

#include <zip.h>

#include <map>
#include <string>

namespace knossos::test {

/// The files of a ZIP by their names; none if it is damaged.
inline std::map<std::string, std::string> unpacked(const std::string& bytes) {
    zip_error_t error;
    zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
    zip_t* archive = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error);
    std::map<std::string, std::string> files;
    if (archive == nullptr) return files;
    for (zip_int64_t i = 0; i < zip_get_num_entries(archive, 0); ++i) {
        const auto index = static_cast<zip_uint64_t>(i);
        zip_stat_t about;
        zip_stat_index(archive, index, 0, &about);
        std::string content(about.size, '\0');
        zip_file_t* file = zip_fopen_index(archive, index, 0);
        if (zip_fread(file, content.data(), content.size()) == static_cast<zip_int64_t>(content.size()))
            files[about.name] = std::move(content);
        zip_fclose(file);
    }
    zip_discard(archive);
    return files;
}

} // namespace knossos::test
