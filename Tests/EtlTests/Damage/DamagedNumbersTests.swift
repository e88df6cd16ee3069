import Foundation
import TestSupport
import Testing

/// Changed numbers in a store or a catalog never end a command with a signal, a hang or a report of a bug.
///
/// Each column gets one of the numbers, and every fourth command uses it, beginning with a different one for each
/// column. With ``Dose/isFull`` all commands use it; with the environment variable `ETL_TORTURE` each column also
/// gets all numbers, one after the other.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct DamagedNumbersTests {
    private let files: DamagedFiles
    private let folder: TemporaryFolder
    private let environment: [String: String]

    init() throws {
        files = try DamagedFiles.made.get()
        folder = try TemporaryFolder()
        environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin"]
    }

    /// A column to damage.
    struct Target: Sendable, CustomTestStringConvertible {
        var column: DamagedFiles.Column
        /// One after the other.
        var numbers: [Int64]
        /// Its place among the file's columns, from 0.
        var place: Int

        var testDescription: String { column.testDescription }

        /// Whether a command, by its place in the list, uses the damaged file.
        func isUsed(by command: Int) -> Bool {
            Dose.isFull || numbers.count > 1 || command % 4 == place % 4
        }
    }

    private static func targets(_ path: KeyPath<DamagedFiles, String>) -> [Target] {
        let columns = (try? DamagedFiles.columns(of: DamagedFiles.made.get()[keyPath: path])) ?? []
        let all = DamagedFiles.numbers
        let isLong = ProcessInfo.processInfo.environment["ETL_TORTURE"] != nil
        #if THREAD_SANITIZER
        // The tool takes a second to start.
        let every = 20
        #else
        let every = 1
        #endif
        return columns.enumerated().filter { $0.offset % every == 0 }
            .map { Target(column: $1, numbers: isLong ? all : [all[$0 / 4 % all.count]], place: $0) }
    }

    @Test func `there are columns to damage`() throws {
        #expect(try DamagedFiles.columns(of: files.store).count > 80)
        #expect(try DamagedFiles.columns(of: files.catalog).count > 20)
    }

    @Test func `undamaged files have no problem`() throws {
        try useStore(with: 0, in: nil)
        try useCatalog(with: 0, in: nil)
    }

    @Test(arguments: targets(\.store)) func `a store with wrong numbers`(target: Target) throws {
        for number in target.numbers { try useStore(with: number, in: target) }
    }

    @Test(arguments: targets(\.catalog)) func `a catalog with wrong numbers`(target: Target) throws {
        for number in target.numbers { try useCatalog(with: number, in: target) }
    }

    /// Runs each command on its own copy of the store.
    private func useStore(with number: Int64, in target: Target?) throws {
        let commands = [
            ["import", "--catalog", files.catalog, ProjectFiles.sample("goodreads_newer.csv")],
            ["import", "--replace", ProjectFiles.sample("goodreads_library_export.csv")],
            ["import", "--rejects", files.corrected, "--job", files.job],
            ["resume", "--json"], ["status", "--json"], ["errors", "--warnings", "--format", "csv"],
            ["review"], ["results", files.job], ["explain", "row:2"], ["export", "--what", "all"], ["doctor"],
            ["cache", "info"], ["search", "title", "dune"],
        ]
        for (index, command) in commands.enumerated() where target?.isUsed(by: index) ?? true {
            let store = folder.file("\(index).sqlite")
            try files.copy(files.store, to: store, with: number, in: target?.column)
            try expectNoProblem(command + ["--db", store], number, in: target)
        }
        try removeFiles()
    }

    /// Runs the commands one after the other, because one of them updates the catalog.
    private func useCatalog(with number: Int64, in target: Target?) throws {
        let catalog = folder.file("catalog.sqlite")
        try files.copy(files.catalog, to: catalog, with: number, in: target?.column)
        let store = folder.file("new.sqlite")
        let titles = try folder.write(
            "Title,Author,ISBN\nThe Hobbit,J.R.R. Tolkien,\nHobit,Tolkin,\n1984,George Orwell,\n",
            to: "titles.csv")
        let export = ProjectFiles.sample("goodreads_library_export.csv")
        let dump = ProjectFiles.sample("catalog/ol_dump_works.txt")
        let commands = [
            ["import", "--db", store, "--catalog", catalog, export],
            ["import", "--db", store, "--catalog", catalog, titles],
            ["search", "title", "--catalog", catalog, "hobit"],
            ["search", "author", "--catalog", catalog, "tolkien"],
            ["search", "isbn", "--catalog", catalog, "9780441172719"],
            ["catalog", "info", catalog],
            ["catalog", "build", "--update", "--out", catalog, dump],
        ]
        for (index, command) in commands.enumerated() where target?.isUsed(by: index) ?? true {
            try expectNoProblem(command, number, in: target)
        }
        try removeFiles()
    }

    private func expectNoProblem(_ command: [String], _ number: Int64, in target: Target?) throws {
        let problem = try DamagedFiles.problem(command, environment: environment, isDamaged: target != nil)
        #expect(problem == nil, "\(number): \(command.joined(separator: " "))")
    }

    private func removeFiles() throws {
        for name in folder.names { try FileManager.default.removeItem(atPath: folder.file(name)) }
    }
}
