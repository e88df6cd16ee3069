#if canImport(Glibc)
import CMalloc
#endif

/// How the process asks the system for memory.
enum Allocator {
    /// Makes all threads share one arena. Call it before a second thread begins.
    ///
    /// A batch is filled by one thread and freed by another. glibc gives each thread an arena of its own, which keeps
    /// what was freed in it for that thread: a fifth of an import's memory. Records allocate next to nothing, so there
    /// is nothing to gain from arenas either.
    static func shareOneArena() {
        #if canImport(Glibc)
        // It cannot fail for this setting, and an import goes well without it.
        _ = mallopt(M_ARENA_MAX, 1)
        #endif
    }
}
