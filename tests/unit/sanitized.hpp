#pragma once

namespace knossos::test {

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KNOSSOS_ADDRESS_SANITIZER
#endif
#if __has_feature(thread_sanitizer)
#define KNOSSOS_THREAD_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define KNOSSOS_ADDRESS_SANITIZER
#endif
#if defined(__SANITIZE_THREAD__)
#define KNOSSOS_THREAD_SANITIZER
#endif

#if defined(KNOSSOS_THREAD_SANITIZER)
constexpr bool watches_threads = true;
#else
constexpr bool watches_threads = false;
#endif

/// Whether a sanitizer watches, with which everything takes a multiple of its time.
#if defined(KNOSSOS_ADDRESS_SANITIZER) || defined(KNOSSOS_THREAD_SANITIZER)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif

} // namespace knossos::test
