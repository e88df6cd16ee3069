import Foundation
import TestSupport
import Testing

/// `etl fake-providers`: what a shell may take for its own.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct FakeProvidersCommandTests {
    @Test func `standard output holds variables alone, the closing table goes to standard error`() throws {
        let process = BuiltTool.process(["fake-providers", "--port", "0"])
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        var said = ""
        while !said.contains("ETL_ISBNDB_KEY") {
            let piece = output.fileHandleForReading.availableData
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
        kill(process.processIdentifier, SIGINT)
        said += String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let told = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(said.split(separator: "\n").allSatisfy { $0.hasPrefix("export ETL_") })
        #expect(told.hasPrefix("service") && told.contains("openlibrary"))
    }
}
