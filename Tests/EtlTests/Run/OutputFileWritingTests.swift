import Foundation
import Glibc
import TestSupport
import Testing

@testable import CommandLineTool

/// Writing of `--events` and `--metrics`.
@Suite struct OutputFileWritingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder.file(name), encoding: .utf8)
    }

    @Test func `an open file of the process is continued, not replaced`() throws {
        let log = try folder.write("old\n", to: "log.txt")
        let descriptor = open(log, O_WRONLY | O_APPEND | O_CLOEXEC)
        defer { close(descriptor) }
        for path in ["/dev/fd/\(descriptor)", "/proc/self/fd/\(descriptor)"] {
            try OutputFile(path: path, option: "--metrics").replace(with: "new\n")
        }
        #expect(try text("log.txt") == "old\nnew\nnew\n")
        #expect(folder.names == ["log.txt"])
    }

    @Test func `a file is replaced with its mode kept, and a link to it stays`() throws {
        let file = try folder.write("old", to: "metrics")
        #expect(chmod(file, 0o600) == 0)
        #expect(symlink("metrics", folder.file("link")) == 0)
        try OutputFile(path: folder.file("link"), option: "--metrics").replace(with: "new")
        #expect(try text("metrics") == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link")) == "metrics")
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(folder.names == ["link", "metrics"])
    }

    @Test func `what a killed run has left beside the file is removed, and nothing else`() throws {
        let left = "metrics.\(UUID().uuidString).part"
        for name in [left, "metrics.mine.part", "other.\(UUID().uuidString).part"] {
            _ = try folder.write("half", to: name)
        }
        let others = Set(folder.names).subtracting([left])
        try OutputFile(path: folder.file("metrics"), option: "--metrics").replace(with: "new")
        #expect(Set(folder.names) == others.union(["metrics"]))
    }

    @Test func `a link with a name like the temporary file's is not written through`() throws {
        _ = try folder.write("data", to: "precious")
        #expect(symlink("precious", folder.file("metrics.\(getpid()).part")) == 0)
        try OutputFile(path: folder.file("metrics"), option: "--metrics").replace(with: "new")
        #expect(try text("precious") == "data")
        #expect(try text("metrics") == "new")
    }
}
