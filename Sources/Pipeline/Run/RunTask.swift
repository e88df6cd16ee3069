/// A task of a run.
struct RunTask: Sendable {
    /// Where it runs; nil for the pool.
    var executor: (any TaskExecutor)?
    /// Returns the records it committed: the sink's some, all others' none.
    let run: @Sendable () async -> Int
}
