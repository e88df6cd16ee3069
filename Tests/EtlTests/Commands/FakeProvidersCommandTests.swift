import Foundation
import TestSupport
import Testing

/// `etl fake-providers`: output that a shell can evaluate.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct FakeProvidersCommandTests {
    @Test func `standard output has only variables, the closing table goes to standard error`() throws {
        let process = try BuiltTool.start(["fake-providers", "--port", "0"], output: .pipe, errors: .pipe)
        let (output, errors) = (try #require(process.output), try #require(process.errors))
        var said = ""
        while !said.contains("ETL_ISBNDB_KEY") {
            let piece = output.availableData
            try #require(!piece.isEmpty, "it ended too early")
            said += String(decoding: piece, as: UTF8.self)
        }
        let folder = try TemporaryFolder()
        var environment = ["HOME": folder.path, "XDG_STATE_HOME": folder.file("state")]
        for line in said.split(separator: "\n") {
            let sides = line.trimmingPrefix("export ").split(separator: "=", maxSplits: 1)
            environment[String(try #require(sides.first))] = String(try #require(sides.last))
        }
        let file = try folder.write("Title,Author,ISBN\nReef,Ana Lee,9780306406157\n", to: "a.csv")
        let imported = try BuiltTool.ending(
            ["import", "--db", folder.file("s.sqlite"), "--providers", "openlibrary", file],
            environment: environment)
        #expect(imported.status == 0, "\(imported.errors)")
        process.send(SIGINT)
        said += String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
        let explicit = String(decoding: errors.readDataToEndOfFile(), as: UTF8.self)
        try process.wait()
        #expect(said.split(separator: "\n").allSatisfy { $0.hasPrefix("export ETL_") })
        #expect(explicit.hasPrefix("service") && explicit.contains("openlibrary"))
    }

    @Test func `it ends when its terminal is closed`()
        throws
    {
        let process = try BuiltTool.start(["fake-providers", "--port", "0"], output: .pipe)
        let output = try #require(process.output)
        while true {
            let piece = output.availableData
            try #require(!piece.isEmpty, "it ended too early")
            if piece.contains(UInt8(ascii: "\n")) { break }
        }
        process.send(SIGHUP)
        let ending = try process.wait()
        #expect(ending.status == SIGHUP && ending.isSignal)
    }
}
