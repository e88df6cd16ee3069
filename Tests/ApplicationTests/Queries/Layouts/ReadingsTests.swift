import Books
import Foundation
import System
import TestSupport
import Testing

@testable import Database
@testable import Queries
@testable import Store

/// Every reading of a book is kept, counted and exported.
@Suite struct ReadingsTests {
    private static let header =
        "Title,Authors,ISBN/UID,Format,Read Status,Last Date Read,Dates Read,Read Count,Star Rating,Moods,Tags,Owned?"

    private static func file(_ rows: [String]) -> [UInt8] {
        Array(([header] + rows).joined(separator: "\n").utf8) + [10]
    }

    private static let rows = [
        #"Dune,Frank Herbert,9780441172719,paperback,read,2024/03/09,"2019/02/01-2019/02/20, 2024/03/01-2024/03/09",2,4.5,tense,,Yes"#,
        #"Emma,Jane Austen,9780141439587,audio,currently-reading,2021/05/05,"2021/05/01-2021/05/05, 2025/01/02-",1,4,,,No"#,
        #"Ulysses,James Joyce,9780141182803,paperback,read,2020/08/09,2020/08/09,3,,,,No"#,
        #"Kim,Rudyard Kipling,9780141442372,paperback,to-read,,,0,,,,No"#,
    ]

    private static func lines(_ store: Connection, _ sql: String) throws -> [String] {
        let query = try store.query(sql)
        var lines: [String] = []
        while try query.next() { lines.append(query.string(0)) }
        return lines
    }

    private static let view =
        "SELECT title || '|' || ifnull(started, '') || '|' || ifnull(finished, '') || '|' || times FROM readings ORDER BY 1"

    @Test func `an entry has all its readings, and the view one row for each`() async throws {
        try await LayoutTrip.importing(Self.file(Self.rows), as: "storygraph.csv") { store in
            let entries = try LayoutTrip.entries(store)
            #expect(
                entries.map { $0.readings.map(\.text) } == [
                    ["2019-02-01/2019-02-20", "2024-03-01/2024-03-09"],
                    ["2021-05-01/2021-05-05", "2025-01-02/"],
                    ["2020-08-09"], [],
                ])
            #expect(
                try Self.lines(store, Self.view) == [
                    "Dune|2019-02-01|2019-02-20|1", "Dune|2024-03-01|2024-03-09|1",
                    "Emma|2021-05-01|2021-05-05|1",
                    "Emma|2025-01-02||1", "Ulysses||2020-08-09|3",
                ])
        }
    }

    @Test func `the view and the entry agree on what is going on`() async throws {
        let rows = [
            #"A,B,9780441172719,paperback,read,2024,2024/05/01-,1,,,,No"#,
            #"C,D,9780141439587,paperback,read,2024/03/01,"2024/02/01-2024/03/01, 2024/01/15-2024/03/01",2,,,,No"#,
            #"E,F,9780141182803,paperback,read,2019/05/01,"2019/05/01, unknown",1,,,,No"#,
        ]
        try await LayoutTrip.importing(Self.file(rows), as: "storygraph.csv") { store in
            let entries = try LayoutTrip.entries(store).map { $0.readings.map(\.text) }
            #expect(
                entries == [
                    ["2024-05-01/2024"], ["2024-01-15/2024-03-01", "2024-02-01/2024-03-01"], ["2019-05-01"],
                ])
            let view = try Self.lines(
                store,
                "SELECT title || ' ' || ifnull(started || '/', '') || ifnull(finished, '') FROM readings ORDER BY 1"
            )
            #expect(
                view == [
                    "A 2024-05-01/2024", "C 2024-01-15/2024-03-01", "C 2024-02-01/2024-03-01", "E 2019-05-01",
                ])
        }
    }

    @Test func `every reading counts in its year`() async throws {
        try await LayoutTrip.importing(Self.file(Self.rows), as: "storygraph.csv") { store in
            var reader = StatisticsReader(store, now: 1_767_225_600_000, most: 10)
            let statistics = try reader.read()
            #expect(
                statistics.years.map { [$0.year, $0.books] } == [
                    [2019, 1], [2020, 1], [2021, 1], [2024, 1],
                ])
            #expect(statistics.rereads.map(\.title) == ["Ulysses", "Dune"])
            #expect(statistics.rereads.map(\.times) == [3, 2])
        }
    }

    @Test func `a damaged date has no year`() async throws {
        let dates = [
            "########", "0000-00-00", "2026-13-45", "soon", "2020", "2021/05", "2203/05/01", "0206/05/01",
        ]
        let rows = dates.map {
            "Book \($0),Jane Austen,,paperback,read,\($0),\($0),1,,,,No"
        }
        try await LayoutTrip.importing(Self.file(rows), as: "storygraph.csv") { store in
            let lines = try Self.lines(
                store, "SELECT finished || ' ' || ifnull(year, 'none') FROM readings")
            #expect(
                lines.filter { !$0.isEmpty }.sorted()
                    == ["0206-05-01 206", "2020 2020", "2021-05 2021", "2203-05-01 2203"])
            var reader = StatisticsReader(store, now: 0, most: 3)
            let years = try reader.read().years
            #expect(years.map(\.year) == [2020, 2021])
        }
    }

    @Test(arguments: [Export.Format.csv, .ndjson, .json])
    func `an export in our own formats brings them into another store`(format: Export.Format) async throws {
        let first = try await LayoutTrip.importing(Self.file(Self.rows), as: "storygraph.csv") { store in
            let collector = ByteCollector()
            try Export(store).write(.books, as: format) { (piece) throws(ETLError) in
                collector.take(piece)
            }
            return (bytes: collector.bytes, view: try Self.lines(store, Self.view))
        }
        let again = try await LayoutTrip.importing(first.bytes, as: "books.\(format.rawValue)") {
            try Self.lines($0, Self.view)
        }
        #expect(again == first.view)
    }

    @Test func `columns without a place in the export come under their own names`() async throws {
        try await LayoutTrip.importing(Self.file(Self.rows), as: "storygraph.csv") { store in
            let collector = ByteCollector()
            try Export(store).write(.books, as: .csv, addsOtherColumns: true) {
                (piece) throws(ETLError) in
                collector.take(piece)
            }
            let records = collector.records
            #expect(records[0].last == "Moods")
            #expect(records.dropFirst().map(\.last) == ["tense", "", "", ""])
        }
    }
}
