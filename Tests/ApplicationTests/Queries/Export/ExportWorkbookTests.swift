import Foundation
import System
import TestSupport
import Testing

@testable import Database
@testable import Queries
@testable import Store
@testable import Syntax

/// `etl export --format xlsx`: the cells of the CSV, with types.
@Suite struct ExportWorkbookTests {
    private let sample: SampleImport

    init() async throws {
        sample = try await SampleImport()
        try await sample.run("s.sqlite")
    }

    private func export() throws -> Export {
        Export(try StoreFile.openForReading(sample.folder.file("s.sqlite")))
    }

    private func csv(_ what: Export.What, others: Bool = false) throws -> ByteCollector {
        let collector = ByteCollector()
        try export().write(what, as: .csv, addsOtherColumns: others) { (piece) throws(ETLError) in
            collector.take(piece)
        }
        return collector
    }

    private func workbook(_ what: Export.What, others: Bool = false, as name: String = "b.xlsx") throws
        -> String
    {
        let path = sample.folder.file(name)
        _ = try export().writeWorkbook(of: what, addsOtherColumns: others, to: path)
        return path
    }

    private func records(_ path: String) throws -> [[String]] {
        let book = try #require(try Workbook(ZipArchive(path)))
        var source = try book.bytes(of: book.sheets[0])
        let collector = ByteCollector()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { buffer.deallocate() }
        while case let count = try source.read(into: buffer), count > 0 {
            collector.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        return collector.records
    }

    @Test(arguments: [Export.What.books, .works, .editions, .authors])
    func `a workbook is read back as the CSV`(what: Export.What) throws {
        let expected = try csv(what).records
        #expect(expected.count > 20)
        #expect(try records(workbook(what)) == expected)
    }

    @Test func `a workbook can have the other columns of the files`() throws {
        let expected = try csv(.books, others: true).records
        #expect(try records(workbook(.books, others: true)) == expected)
    }

    @Test func `a workbook imports as the CSV does`() async throws {
        try await sample.run("csv.sqlite", from: sample.folder.write(csv(.books).text, to: "books.csv"))
        try await sample.run("xlsx.sqlite", from: workbook(.books))
        #expect(try sample.dump("csv.sqlite") == sample.dump("xlsx.sqlite"))
    }

    @Test func `the same library gives the same bytes`() throws {
        let books = try ["one.xlsx", "two.xlsx"].map {
            try Data(contentsOf: URL(fileURLWithPath: workbook(.books, as: $0)))
        }
        #expect(books[0] == books[1])
    }

    @Test func `one library, an empty one, and none`() async throws {
        let path = sample.folder.file("b.xlsx")
        #expect(try export().writeWorkbook(of: .books, in: "default", to: path).rows > 100)
        let failure = #expect(throws: ETLError.self) {
            try export().writeWorkbook(of: .books, in: "anna", to: path)
        }
        #expect(failure?.kind == .missing)
        let all = #expect(throws: ETLError.self) { try export().writeWorkbook(of: .all, to: path) }
        #expect(all?.kind == .configuration)
    }
}

extension SampleImport {
    fileprivate func run(_ store: String, from file: String) async throws {
        var sample = self
        sample.files = [file]
        try await sample.run(store)
    }
}
