import Foundation
import TestSupport
import Testing

private let canRun =
    FileManager.default.isExecutableFile(atPath: ProjectFiles.tool)
    && (try? BuiltTool.shell("python3 -c 'import sys; assert sys.version_info >= (3, 11)'"))?.status == 0

/// The short form of `Tests/Reference/compare`: etl and independent implementations agree. The same cases every time.
@Suite(.enabled(if: canRun, "needs the built tool and python3 3.11"))
struct ReferenceTests {
    /// - Parameter tool: The tool to compare, as a word of the shell.
    private func compare(_ part: String, with tool: String = "\"$ETL\"") throws -> BuiltTool.Ending {
        // Files that show a difference stay in the folder for temporary files.
        let folder = try TemporaryFolder()
        return try BuiltTool.shell(
            "TMPDIR='\(folder.path)' '\(ProjectFiles.root)/Tests/Reference/compare' --seed 1 --etl \(tool) \(part)"
        )
    }

    @Test(arguments: ["--dose 5 csv", "--dose 5 isbn", "--dose 2 library"])
    func `an independent implementation gives the same results`(part: String) throws {
        let ending = try compare(part)
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
    }

    @Test(arguments: ["csv", "isbn", "library"])
    func `a tool that gives other results is found out`(part: String) throws {
        let folder = try TemporaryFolder()
        let other = try folder.write(
            """
            #!/bin/sh
            '\(ProjectFiles.tool)' "$@" | sed 's/Title"/Titel"/; s/lost_leading/lost_trailing/; s/"format":"Paper/&s/'
            """, to: "etl")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: other)
        let ending = try compare("--dose 1 \(part)", with: "'\(other)'")
        #expect(ending.status == 1 && ending.output.contains("FOUND"), "\(ending.output)\(ending.errors)")
    }
}
