import Foundation
import TestSupport

/// Counts of a run of the tool, taken from outside by the library in Tests/Counters.
struct CountedRun {
    var allocations = 0
    var statements = 0
    var bytes = 0
    var syncs = 0
    /// Tasks started, or resumed after a suspension.
    var jobs = 0

    /// The counted tool: `ETL_COUNTED_TOOL`, or the one built next to the tests.
    static let tool = ProcessInfo.processInfo.environment["ETL_COUNTED_TOOL"] ?? ProjectFiles.tool
    /// The counting library, built next to the tests.
    static let counters = (ProjectFiles.tool as NSString).deletingLastPathComponent + "/libCounters.so"

    /// Whether both exist and no sanitizer is active, because a sanitizer changes allocations.
    static var isPossible: Bool {
        #if THREAD_SANITIZER
        false
        #else
        FileManager.default.isExecutableFile(atPath: tool) && FileManager.default.fileExists(atPath: counters)
        #endif
    }

    /// Runs the tool and counts.
    init(_ arguments: [String], in folder: TemporaryFolder) throws {
        let file = folder.file("counts")
        var environment = ProcessInfo.processInfo.environment
        environment["LD_PRELOAD"] = Self.counters
        environment["COUNTERS_FILE"] = file
        let ending = try ChildProcess(Self.tool, arguments, environment: environment).wait()
        guard ending.status == 0 else { throw Failed(status: ending.status) }
        for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 2, let count = Int(parts[1]) else { throw Failed(status: 0) }
            switch parts[0] {
            case "allocations": allocations = count
            case "statements": statements = count
            case "bytes": bytes = count
            case "syncs": syncs = count
            case "jobs": jobs = count
            default: throw Failed(status: 0)
            }
        }
    }

    /// The tool failed or the counts cannot be read.
    struct Failed: Error {
        let status: Int32
    }
}
