import Foundation
import TestSupport

/// Fake services in a process of their own.
struct ServiceProcess {
    let url: String
    private let process: ChildProcess

    /// - Parameter percent: The share of requests that fail.
    init(failing percent: Int = 0) throws {
        process = try ChildProcess(
            CommandLine.arguments[0], ["serve", "\(percent)"], input: .pipe, output: .pipe)
        let port = String(decoding: process.output?.availableData ?? Data(), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        url = "http://127.0.0.1:\(port)"
    }

    func stop() throws {
        try process.input?.close()
        try process.wait()
    }
}
