// A study database made elsewhere is read and reported, or refused with a knossos::Error. SQLite itself reads
// the bytes from memory, through a file system of ours.
#include "support.hpp"

#include <knossos/core/error.hpp>
#include <knossos/study/analysis.hpp>
#include <knossos/study/report.hpp>
#include <knossos/study/store.hpp>

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <string>

using namespace knossos;

namespace {

std::string image; // of the database

int close(sqlite3_file* /*file*/) { return SQLITE_OK; }
int read(sqlite3_file* /*file*/, void* to, int count, sqlite3_int64 from) {
    const auto wanted = static_cast<std::size_t>(count);
    const std::size_t begin = std::min(static_cast<std::size_t>(from), image.size());
    const std::size_t got = std::min(wanted, image.size() - begin);
    std::memcpy(to, image.data() + begin, got);
    std::memset(static_cast<char*>(to) + got, 0, wanted - got);
    return got == wanted ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}
int write(sqlite3_file* /*file*/, const void* /*from*/, int /*count*/, sqlite3_int64 /*at*/) {
    return SQLITE_READONLY;
}
int truncate(sqlite3_file* /*file*/, sqlite3_int64 /*size*/) { return SQLITE_READONLY; }
int sync(sqlite3_file* /*file*/, int /*flags*/) { return SQLITE_OK; }
int size_of(sqlite3_file* /*file*/, sqlite3_int64* size) {
    *size = static_cast<sqlite3_int64>(image.size());
    return SQLITE_OK;
}
int lock(sqlite3_file* /*file*/, int /*level*/) { return SQLITE_OK; }
int is_reserved(sqlite3_file* /*file*/, int* answer) {
    *answer = 0;
    return SQLITE_OK;
}
int control(sqlite3_file* /*file*/, int /*operation*/, void* /*argument*/) { return SQLITE_NOTFOUND; }
int sector_size(sqlite3_file* /*file*/) { return 512; }
int characteristics(sqlite3_file* /*file*/) { return 0; }

constexpr sqlite3_io_methods methods{.iVersion = 1,
                                     .xClose = close,
                                     .xRead = read,
                                     .xWrite = write,
                                     .xTruncate = truncate,
                                     .xSync = sync,
                                     .xFileSize = size_of,
                                     .xLock = lock,
                                     .xUnlock = lock,
                                     .xCheckReservedLock = is_reserved,
                                     .xFileControl = control,
                                     .xSectorSize = sector_size,
                                     .xDeviceCharacteristics = characteristics};

int open(sqlite3_vfs* /*files*/, sqlite3_filename /*name*/, sqlite3_file* file, int flags, int* given) {
    file->pMethods = nullptr;
    if ((flags & SQLITE_OPEN_MAIN_DB) == 0) return SQLITE_CANTOPEN;
    file->pMethods = &methods;
    if (given != nullptr) *given = SQLITE_OPEN_READONLY;
    return SQLITE_OK;
}
int remove(sqlite3_vfs* /*files*/, const char* /*name*/, int /*sync*/) { return SQLITE_READONLY; }
int access(sqlite3_vfs* /*files*/, const char* /*name*/, int /*flags*/, int* answer) {
    *answer = 0;
    return SQLITE_OK;
}
int full_name(sqlite3_vfs* /*files*/, const char* name, int size, char* out) {
    sqlite3_snprintf(size, out, "%s", name);
    return SQLITE_OK;
}
int randomness(sqlite3_vfs* /*files*/, int size, char* out) {
    std::memset(out, 0, static_cast<std::size_t>(size));
    return size;
}
int sleep(sqlite3_vfs* /*files*/, int /*microseconds*/) { return 0; }
int current_time(sqlite3_vfs* /*files*/, double* days) {
    *days = 2460000.5;
    return SQLITE_OK;
}

sqlite3_vfs files{.iVersion = 1,
                  .szOsFile = sizeof(sqlite3_file),
                  .mxPathname = 512,
                  .zName = "fuzz",
                  .xOpen = open,
                  .xDelete = remove,
                  .xAccess = access,
                  .xFullPathname = full_name,
                  .xRandomness = randomness,
                  .xSleep = sleep,
                  .xCurrentTime = current_time};

void read_all(std::string_view bytes) {
    // Any file that is there: its bytes are not looked at.
    const study::Store store = study::Store::open("/proc/self/exe");
    (void)store.study();
    std::size_t runs = 0;
    store.for_each_run(true, true, [&](const study::RunRecord& /*run*/) { ++runs; });
    if (runs > 1000 || !fuzz::is_one_in(128, bytes)) return;
    const study::Analysis analysis = study::analyse(store);
    (void)study::csv_report(analysis);
    if (!fuzz::is_one_in(2048, bytes)) return;
    (void)study::html_report(analysis);
    (void)study::markdown_report(analysis);
    (void)study::svg_report(analysis);
    (void)study::ioh_report(store);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const bool is_ready = [] {
        // Nobody else is here, and nobody asks how much memory is taken.
        sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
        sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
        return sqlite3_vfs_register(&files, 1) == SQLITE_OK;
    }();
    fuzz::require(is_ready, "SQLite takes a file system of ours");
    image.assign(fuzz::text_of(data, size));
    // A log of changes would be a file of its own, which is not there.
    if (size > 20) image[18] = image[19] = 1;
    try {
        read_all(fuzz::text_of(data, size));
    } catch (const Error&) {
        return 0;
    } catch (const std::bad_alloc&) { // a damaged page may speak of a text of gigabytes
        return 0;
    }
    return 0;
}
