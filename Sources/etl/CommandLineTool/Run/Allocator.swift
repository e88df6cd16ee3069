#if canImport(Glibc)
import CMalloc
#endif

/// Settings of the memory allocator.
package enum Allocator {
    /// Makes all threads share one arena. Call it before a second thread starts.
    ///
    /// A batch is allocated by one thread and freed by another. By default glibc gives each thread its own
    /// arena, which keeps freed memory for that thread: a fifth of an import's memory. Separate arenas would
    /// not be faster, because records allocate almost nothing.
    package static func shareOneArena() {
        #if canImport(Glibc)
        // It cannot fail for this setting, and it is not essential.
        _ = mallopt(M_ARENA_MAX, 1)
        #endif
    }
}
