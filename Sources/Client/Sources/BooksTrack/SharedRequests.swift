/// Requests that run for several callers: an equal request that comes while one is running waits for the same answer.
///
/// It is a value of the client's actor. Each caller has a continuation here until there is an answer or the caller is
/// canceled; a request without callers is canceled.
struct SharedRequests {
    typealias Outcome = Result<TransportAnswer, BooksTrackError>

    private struct Running {
        var task: Task<Void, Never>
        var callers: [Int: CheckedContinuation<Outcome, Never>] = [:]
    }

    private var running: [TransportRequest: Running] = [:]
    private var count = 0

    /// Number for a new caller.
    mutating func makeCaller() -> Int {
        count += 1
        return count
    }

    /// Adds a caller. If the request is not under way, `start` starts it.
    mutating func add(
        _ caller: Int, to request: TransportRequest, _ continuation: CheckedContinuation<Outcome, Never>,
        start: () -> Task<Void, Never>
    ) {
        running[request, default: Running(task: start())].callers[caller] = continuation
    }

    /// Ends a request for all its callers.
    mutating func end(_ request: TransportRequest, _ outcome: Outcome) {
        for caller in running.removeValue(forKey: request)?.callers.values ?? [:].values {
            caller.resume(returning: outcome)
        }
    }

    /// A caller was canceled.
    mutating func cancel(_ caller: Int, of request: TransportRequest) {
        guard let continuation = running[request]?.callers.removeValue(forKey: caller) else { return }
        continuation.resume(returning: .failure(.canceled))
        guard let left = running[request], left.callers.isEmpty else { return }
        left.task.cancel()
        running[request] = nil
    }
}
