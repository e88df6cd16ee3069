/// Runs work that has to end by a deadline.
struct RacingTasks {
    let clock: any Clock<Duration>
    let deadline: Duration

    /// The result of the work; `.timedOut` if the deadline comes first, `.canceled` if the task is canceled.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Result<Value, BooksTrackError>
    ) async throws(BooksTrackError) -> Value {
        let (clock, deadline) = (clock, deadline)
        let result = await withTaskGroup(of: Result<Value, BooksTrackError>.self) { group in
            group.addTask { await work() }
            group.addTask {
                do { try await clock.sleep(for: deadline) } catch { return .failure(.canceled) }
                return .failure(.timedOut)
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(.canceled)
        }
        // Work that was interrupted fails in its own way.
        if Task.isCancelled { throw .canceled }
        return try result.get()
    }
}
