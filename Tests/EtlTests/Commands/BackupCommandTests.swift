import Foundation
import TestSupport
import Testing

/// `etl backup` as users run it.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct BackupCommandTests: ImportsByTool {
    let folder: TemporaryFolder
    private var backup: String { folder.file("backup.sqlite") }
    private static let table = "Title,Author\nDune,Frank Herbert\nEmma,Jane Austen\n"

    init() throws { folder = try TemporaryFolder() }

    private func dump(_ store: String) throws -> String {
        let ending = try BuiltTool.ending(["export", "--what", "all", "--db", store])
        #expect(ending.status == 0, "\(ending.errors)")
        return ending.output
    }

    @Test func `a restored store is the one that was backed up, and goes on`() throws {
        #expect(try importing(Self.table, "--offline", "--job", "first").status == 0)
        #expect(try BuiltTool.run(["search", "--db", store, "dune"]) == 0)
        let before = try dump(store)
        let written = try BuiltTool.ending(["backup", "--db", store, backup])
        #expect(written.status == 0 && written.output.contains("2 works"), "\(written)")
        #expect(try importing("Title,Author\nReef,Ana\n", "--offline", "--job", "second").status == 0)
        let after = try dump(store)
        #expect(after != before)
        // As docs/backup.md says. The log of the old store is one that a killed server has left.
        try FileManager.default.removeItem(atPath: store)
        try FileManager.default.copyItem(atPath: backup, toPath: store)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name.hasPrefix("s.sqlite")
            && ["-wal", "-shm", "-journal", ".answers", ".search"].contains(
                where: name.dropFirst("s.sqlite".count).hasPrefix)
        {
            try FileManager.default.removeItem(atPath: folder.file(name))
        }
        #expect(try dump(store) == before)
        #expect(try BuiltTool.ending(["search", "--db", store, "reef"]).output.isEmpty)
        #expect(try BuiltTool.ending(["search", "--db", store, "dune"]).output.contains("Dune"))
        #expect(try importing("Title,Author\nReef,Ana\n", "--offline", "--job", "second").status == 0)
        #expect(try dump(store) == after)
        #expect(try BuiltTool.ending(["doctor", "--offline", "--db", store]).status == 0)
    }

    @Test func `backups during an import are whole, and their job can be resumed`() throws {
        let rows = (1...8_000).map { "Book \($0),Author \($0 % 97)\n" }
        let file = try folder.write("Title,Author\n" + rows.joined(), to: "many.csv")
        let line = ["import", "--offline", "--quiet"]
        #expect(try BuiltTool.run(line + ["--db", folder.file("whole.sqlite"), file]) == 0)
        let whole = try dump(folder.file("whole.sqlite"))
        #expect(try importing(Self.table, "--offline").status == 0)
        for path in [folder.file("new.sqlite"), store] {
            let process = try BuiltTool.start(line + ["--db", path, file], errors: .nothing)
            var backups: [String] = []
            for number in 1...4 {
                let copy = folder.file("\(number)-\((path as NSString).lastPathComponent)")
                let ending = try BuiltTool.ending(["backup", "--db", path, copy])
                // The import may not have made its store yet.
                if ending.status == 0 {
                    backups.append(copy)
                } else {
                    #expect(ending.status == 66, "\(ending)")
                }
            }
            #expect(try process.wait().status == 0)
            let end = try dump(path)
            if path != store { #expect(end == whole) }
            for copy in backups {
                #expect(try BuiltTool.run(["doctor", "--offline", "--db", copy]) == 0)
                #expect(try BuiltTool.run(line + ["--db", copy, file]) == 0)
                #expect(try dump(copy) == end)
            }
        }
    }

    @Test func `nothing is overwritten unless asked, and never a store in use`() throws {
        #expect(try importing(Self.table, "--offline").status == 0)
        #expect(try BuiltTool.run(["backup", "--db", store, backup]) == 0)
        #expect(try BuiltTool.run(["backup", "--db", store, backup]) == 73)
        #expect(try BuiltTool.run(["backup", "--force", "--db", store, backup]) == 0)
        let link = folder.file("link.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store)
        for path in [store, store + "-wal", store + ".lock", link, folder.path, folder.path + "/", "-"] {
            let ending = try BuiltTool.ending(["backup", "--force", "--db", store, path])
            #expect(ending.status == 64, "\(path): \(ending)")
        }
        let other = folder.file("other.sqlite")
        #expect(try BuiltTool.run(["import", "--offline", "--db", other, folder.file("export.csv")]) == 0)
        #expect(try BuiltTool.run(["backup", "--force", "--db", store, other]) == 73)
        #expect(try BuiltTool.run(["backup", "--db", folder.file("none.sqlite"), folder.file("x")]) == 66)
        #expect(!FileManager.default.fileExists(atPath: folder.file("x")))
    }

    @Test func `a full disk leaves the last backup and nothing else`() throws {
        #expect(try importing(Self.table, "--offline").status == 0)
        #expect(try BuiltTool.run(["backup", "--db", store, backup]) == 0)
        let last = try Data(contentsOf: URL(filePath: backup))
        let names = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
        let ending = try BuiltTool.shell(
            "trap '' XFSZ; ulimit -f 200; exec \"$ETL\" backup --force --db '\(store)' '\(backup)'")
        #expect(ending.status == 74 && ending.errors.contains(backup), "\(ending)")
        #expect(!ending.errors.contains(".part"))
        #expect(try Data(contentsOf: URL(filePath: backup)) == last)
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == names)
    }
}
