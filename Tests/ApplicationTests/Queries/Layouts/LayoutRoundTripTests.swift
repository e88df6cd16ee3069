import Foundation
import Queries
import TestSupport
import Testing

@testable import Database
@testable import Formats

/// A library that leaves in the layout it came in is the same library.
@Suite struct LayoutRoundTripTests {
    struct File: Sendable, CustomTestStringConvertible {
        var path: String
        var layout: String
        /// Whether the file has the columns that the program writes today.
        var isPresent = true
        /// Cells that belong to no column.
        var strays = 0
        var testDescription: String { path }
    }

    static let files =
        TestFiles.goodreadsExports.map { File(path: "goodreads/\($0.name)", layout: "goodreads") }
        + TestFiles.cases(
            own: [
                File(path: "storygraph/etl_storygraph.csv", layout: "storygraph"),
                File(path: "librarything/etl_49_columns.tsv", layout: "librarything"),
                File(path: "librarything/etl_2014.csv", layout: "librarything", isPresent: false),
                File(path: "other/etl_bookwyrm.csv", layout: "bookwyrm"),
                File(path: "other/etl_hardcover.csv", layout: "hardcover"),
                File(path: "other/etl_inventaire.csv", layout: "inventaire"),
                File(path: "other/etl_openreads.csv", layout: "openreads"),
                File(path: "other/etl_libib.csv", layout: "libib", isPresent: false),
                File(path: "calibre/etl_calibre.csv", layout: "calibre"),
                File(
                    path: "openlibrary-reading-log/etl_reading_log.csv", layout: "openlibrary",
                    isPresent: false),
            ],
            shared: [
                File(path: "storygraph/bookwyrm_storygraph.csv", layout: "storygraph"),
                File(path: "storygraph/neodb_storygraph_library_export.csv", layout: "storygraph", strays: 1),
                File(path: "librarything/bookwyrm_librarything.tsv", layout: "librarything"),
                File(
                    path: "librarything/mouse-reeve_2014-10-22.csv", layout: "librarything", isPresent: false),
                File(path: "other/bookwyrm_bookwyrm.csv", layout: "bookwyrm"),
                File(path: "other/bookwyrm_openreads.csv", layout: "openreads"),
                File(path: "calibre/bookwyrm_calibre.csv", layout: "calibre"),
            ])

    @Test(arguments: files)
    func `an export in its own layout is the same library`(file: File) async throws {
        let layout = try #require(LibraryFormats.layouts.first { $0.name == file.layout })
        let first = try await LayoutTrip.importing(TestFiles.path(file.path)) { store in
            (
                dump: try LayoutTrip.canonical(store, withCells: file.isPresent),
                written: try LayoutTrip.written(store, layout)
            )
        }
        #expect(!first.dump.isEmpty)
        let second = try await LayoutTrip.importing(first.written.bytes, as: "again.csv") { store in
            try LayoutTrip.canonical(store, withCells: file.isPresent)
        }
        for (old, new) in zip(first.dump, second) where old != new {
            Issue.record("\(old)\n\(new)")
        }
        #expect(first.dump.count == second.count)
        if file.isPresent { #expect(first.written.report.count == file.strays) }
    }

    @Test(arguments: files.filter(\.isPresent))
    func `an export has the columns of the program`(file: File) async throws {
        let layout = try #require(LibraryFormats.layouts.first { $0.name == file.layout })
        let bytes = try await LayoutTrip.importing(TestFiles.path(file.path)) {
            try LayoutTrip.written($0, layout).bytes
        }
        func header(_ bytes: [UInt8]) -> [String] {
            let line = bytes.prefix { $0 != 10 && $0 != 13 }
            return String(decoding: line, as: UTF8.self).replacing("\t", with: ",").split(separator: ",").map(
                String.init)
        }
        let own = try header(TestFiles.bytes(file.path))
        // Goodreads' dialects have fewer columns, or more; the order is the same.
        #expect(own.filter { header(bytes).contains($0) } == header(bytes).filter(own.contains))
        if layout.name != "goodreads" { #expect(own == header(bytes)) }
    }
}
