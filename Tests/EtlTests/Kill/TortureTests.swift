import Foundation
import TestSupport
import Testing

private let canRun =
    FileManager.default.isExecutableFile(atPath: ProjectFiles.tool)
    && (try? BuiltTool.shell("python3 -c '' && cc --version"))?.status == 0

/// The short form of `Tests/Torture/torture`: every command that writes is killed, loses power and meets a failing disk.
@Suite(.serialized, .enabled(if: canRun, "needs the built tool, python3 and cc"))
struct TortureTests {
    /// - Returns: The program's output.
    private func torture(_ arguments: String) throws -> BuiltTool.Ending {
        try BuiltTool.shell("'\(ProjectFiles.root)/Tests/Torture/torture' --etl \"$ETL\" \(arguments)")
    }

    @Test(arguments: ["kill cut", "--only 'import,enrich,undo,catalog build' twice fail"])
    func `nothing is lost and nothing is done twice`(attack: String) throws {
        let ending = try torture("--dose 2 \(attack)")
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
    }

    @Test func `a disk that lies about syncing loses something, so the attacks attack`() throws {
        let ending = try torture("--dose 5 --only 'import' control")
        #expect(ending.status == 0 && !ending.output.contains(" 0 wrong"), "\(ending.output)\(ending.errors)")
    }

    @Test func `a flipped bit ends no command with a signal, a hang or a report of a bug`() throws {
        let ending = try torture("--dose 8 damage")
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
    }
}
