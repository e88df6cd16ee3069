import Pipeline
import Testing

/// Runs each test on a thread of its own. A test that waits for a socket would otherwise block a thread of the
/// cooperative pool, of which there are only as many as cores, and the server under test needs them.
struct OwnThread: TestTrait, SuiteTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await withTaskExecutorPreference(QueueExecutor(label: "test")) { try await function() }
    }
}

extension Trait where Self == OwnThread {
    /// Runs each test on a thread of its own.
    static var ownThread: Self { OwnThread() }
}
