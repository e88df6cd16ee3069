import Books
import Formats
import System
import TestSupport
import Testing

/// The same table, saved by other programs in every kind of file that is not plain text.
@Suite struct PackedFixturesTests {
    private static let fields: [LibraryField] = [.title, .isbn13, .dateRead, .rating, .pageCount]

    private func read(_ name: String) throws -> (rows: [[String]], people: [String]) {
        var settings = ReadSettings(files: [TestFiles.path("packed/\(name)")])
        try settings.expandArchives()
        #expect(settings.files.count == 1)
        return (try RowFacts.of(settings.files[0], Self.fields).rows, try RowFacts.people(settings.files[0]))
    }

    @Test(arguments: ["xz", "zst", "json", "ods", "xlsx", "zip"])
    func `each gives the rows of the plain table`(_ ending: String) throws {
        let plain = try read("etl_books.csv")
        #expect(plain.rows.count == 120)
        let name = ["xz", "zst"].contains(ending) ? "etl_books.csv.\(ending)" : "etl_books.\(ending)"
        let packed = try read(name)
        #expect(packed.rows == plain.rows)
        #expect(packed.people == plain.people)
    }

    @Test(arguments: [
        "etl_books.csv.xz", "etl_books.csv.zst", "etl_books.xlsx", "etl_books.zip", "etl_books.ods",
    ])
    func `every cut is a failure, and no cut loses records silently`(_ name: String) throws {
        let bytes = try TestFiles.bytes("packed/\(name)")
        let files = try WrittenFiles()
        let step = max(1, bytes.count / 60)
        for length in stride(from: 8, to: bytes.count - 1, by: step) {
            let path = try files.write(bytes[..<length], as: name)
            #expect(throws: ETLError.self, "\(length)") {
                var settings = ReadSettings(files: [path])
                try settings.expandArchives()
                for file in settings.files { _ = try RowFacts.of(file, Self.fields) }
            }
        }
    }

    @Test(arguments: ["etl_books.csv.xz", "etl_books.csv.zst", "etl_books.xlsx", "etl_books.ods"])
    func `damaged bytes never trap`(_ name: String) throws {
        let bytes = try TestFiles.bytes("packed/\(name)")
        let files = try WrittenFiles()
        var random = SeededGenerator(seed: 77)
        for _ in 0..<80 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                damaged[Int.random(in: 6..<damaged.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            let path = try files.write(damaged, as: name)
            do throws(ETLError) {
                var settings = ReadSettings(files: [path])
                try settings.expandArchives()
                for file in settings.files { _ = try RowFacts.of(file, Self.fields) }
            } catch {
                #expect(!error.message.isEmpty)
            }
        }
    }
}
