import Foundation
import TestSupport

/// Runs shell lines as a user would, in a temporary folder, with the `etl` of this build first in PATH.
struct Shell: Sendable {
    /// The result of a run.
    struct Outcome: Sendable {
        var status: Int32
        /// Both streams, as a terminal would show them.
        var output: String
    }

    /// The folder of the build that runs the tests, which contains `etl`.
    static let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path

    let folder: String
    var environment: [String: String]

    /// - Parameter path: PATH; by default the build's folder and then the usual one.
    init(in folder: String, path: String? = nil) {
        self.folder = folder
        let usual = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        environment = [
            "PATH": path ?? "\(Self.products):\(usual)", "HOME": folder, "LC_ALL": "C.UTF-8",
            "XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder,
        ]
    }

    /// Runs a script, which ends at the first failing line.
    func run(_ script: String) async throws -> Outcome {
        try await Self.onOwnThread { try runAndWait(script) }
    }

    /// The same, blocking the thread.
    func runAndWait(_ script: String) throws -> Outcome {
        let kept = try TemporaryFolder()
        let file = kept.file("output")
        try Data().write(to: URL(filePath: file))
        let output = try FileHandle(forWritingTo: URL(filePath: file))
        let status = try ChildProcess(
            "/bin/sh", ["-eu", "-c", "cd \"$0\"\n\(script)", folder], environment: environment,
            output: .file(output), errors: .file(output)
        ).wait().status
        try output.close()
        let bytes = try Data(contentsOf: URL(filePath: file))
        return Outcome(status: status, output: String(decoding: bytes, as: UTF8.self))
    }

    /// Runs a closure that blocks its thread. The pool has few threads.
    static func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws
        -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "shell").async { continuation.resume(with: Result { try body() }) }
        }
    }
}
