import Foundation
import TestSupport
import Testing

/// Files that the built tool writes beside its store.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct OutputFileTests {
    private static let library = "Book Id,Title,Author,ISBN13,My Rating\n1,T,A,9780306406157,3\n"

    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = folder.file("s.sqlite")
    }

    @Test(arguments: ["--events", "--metrics"])
    func `what is read, and the store, are not overwritten`(option: String) throws {
        let library = try folder.write(Self.library, to: "library.csv")
        #expect(try BuiltTool.run(["import", "--db", store, library]) == 0)
        let link = folder.file("link.csv")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: library)
        for path in [library, link, store] {
            let refused = try BuiltTool.ending(["import", "--db", store, option, path, library])
            #expect(refused.status == 64)
            #expect(refused.errors.contains("\(option) \(path) is "))
        }
        #expect(try String(contentsOfFile: library, encoding: .utf8) == Self.library)
        #expect(try BuiltTool.run(["status", "--db", store]) == 0)
        // A store that is not there yet is known by its path.
        let new = folder.file("new.sqlite")
        #expect(try BuiltTool.run(["import", "--db", new, option, new, library]) == 64)
        #expect(!FileManager.default.fileExists(atPath: new))
    }

    @Test(arguments: ["--events", "--metrics"])
    func `a pipe and a link are written to as they are`(option: String) throws {
        let library = try folder.write(Self.library, to: "library.csv")
        let ending = try BuiltTool.shell(
            """
            cd '\(folder.path)' && mkfifo pipe && ln -s target link
            cat pipe > got &
            "$ETL" import --quiet --db a.sqlite \(option) pipe '\(library)' || exit 1
            wait
            "$ETL" import --quiet --db b.sqlite \(option) link '\(library)' || exit 2
            test -p pipe && test -L link && test -s got && test -s target
            """)
        #expect(ending.status == 0, "\(ending.errors)")
    }
}
