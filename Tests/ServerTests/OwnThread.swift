import System
import Testing

/// Runs each test on its own thread, with a limit on their number.
///
/// A test that waits for a socket would otherwise block a thread of the cooperative pool, which has one for each
/// core, and the server under test needs them. Threads of dispatch queues are limited too, and the server also needs
/// those.
struct OwnThread: TestTrait, SuiteTrait, TestScoping {
    /// Each test has a server with its threads and descriptors.
    private static let places = Places(24)

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        await Self.places.take()
        defer { Self.places.giveBack() }
        let thread = try ThreadPool(threads: 1)
        defer { thread.end() }
        try await withTaskExecutorPreference(thread) { try await function() }
    }
}

extension Trait where Self == OwnThread {
    /// Runs each test on its own thread.
    static var ownThread: Self { OwnThread() }
}

/// A bounded number of places.
private final class Places: Sendable {
    private struct State: Sendable {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Guarded<State>

    init(_ count: Int) { state = Guarded(State(free: count)) }

    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    func giveBack() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
