import Foundation
import System
import TestSupport
import Testing

@testable import Contract
@testable import Database
@testable import Queries
@testable import Store
@testable import Syntax

@Suite struct LibraryStatisticsTests {
    /// 2026-01-01 in UTC.
    private static let now: Int64 = 1_767_225_600_000

    private static let header =
        "Book Id,Title,Author,ISBN13,My Rating,Average Rating,Number of Pages,Original Publication Year,Date Read,Date Added,Exclusive Shelf,Read Count"

    private static let text =
        ([
            header, "1,\"A (Saga, #1)\",Ann Ek,,5,3.50,100,1968,2024/05/01,2024/01/01,read,1",
            "2,\"B (Saga, #4)\",Ann Ek,,2,4.50,,-850,2024/06/01,2024/01/01,read,3",
            "3,C,Bo Li,,0,4.00,300,1999,,2020/01/01,read,1",
            "4,D,Bo Li,,0,,50,,,2025/12/31,to-read,0", "5,E,,,0,,,,,2025/01/01,to-read,0",
            "6,F,Bo Li,,1,1.00,70,2001,2025/02/02,2025/01/01,did-not-finish,0",
            "7,G,Bo Li,,0,,10,,0001/01/01,2025/01/01,read,1",
        ].joined(separator: "\n")) + "\n"

    private func figures(_ store: FilledStore, _ library: String? = nil, most: Int = 10) throws
        -> LibraryStatistics
    {
        var reader = StatisticsReader(try store.open(), now: Self.now, most: most)
        return try reader.read(library)
    }

    @Test func `an empty library has figures of zero`() throws {
        let store = try FilledStore()
        _ = try StoreFile.openForWriting(store.path)
        let figures = try figures(store)
        #expect(figures == LibraryStatistics())
    }

    @Test func `books count by year, and those without a date apart`() async throws {
        let store = try FilledStore()
        try await store.importing([Self.text], job: "one")
        let figures = try figures(store)
        #expect(figures.books == 7 && figures.read == 4 && figures.pages == 410 && figures.authors == 2)
        #expect(figures.readWithoutDate == 1)
        #expect(figures.years.map(\.year) == [1, 2024])
        let year = try #require(figures.years.last)
        #expect(year.books == 2 && year.pages == 100 && year.withoutPages == 1 && year.rating == 3.5)
        #expect(figures.statuses.map(\.name) == ["read", "to-read", "did-not-finish"])
        #expect(figures.decades.map(\.name) == ["-850", "1960", "1990", "2000", ""])
    }

    /// Goodreads counts the reading that is going on.
    @Test(arguments: [
        ("currently-reading", "1", 0), ("currently-reading", "2", 1), ("read", "0", 1), ("to-read", "1", 1),
    ])
    func `a book that is being read counts as read once it was finished before`(
        shelf: String, count: String, read: Int
    ) async throws {
        let store = try FilledStore()
        try await store.importing(["\(Self.header)\n1,A,Ann Ek,,0,,100,,,,\(shelf),\(count)\n"], job: "one")
        let figures = try figures(store)
        #expect(figures.read == read && figures.pages == read * 100)
    }

    @Test func `ratings are compared with those of others`() async throws {
        let store = try FilledStore()
        try await store.importing([Self.text], job: "one")
        let figures = try figures(store)
        #expect(figures.ratings.map(\.stars) == [1, 2, 5] && figures.compared == 3)
        #expect(figures.above.map(\.title) == ["A"] && figures.below.map(\.title) == ["B"])
    }

    @Test func `gaps in series, books read again and the longest waits are listed`() async throws {
        let store = try FilledStore()
        try await store.importing([Self.text], job: "one")
        let figures = try figures(store)
        #expect(figures.series == [.init(name: "Saga", have: [1, 4], missing: [2, 3])])
        #expect(figures.rereads.map(\.title) == ["B"] && figures.rereads.first?.times == 3)
        #expect(figures.waits.map(\.title) == ["E", "D"])
        #expect(figures.waits.map(\.days) == [365, 1])
    }

    @Test func `what is not known about authors is counted, also in short lists`() async throws {
        let store = try await SmallLibrary.store()
        let figures = try figures(store, most: 1)
        #expect(figures.genders.map(\.name) == ["Male", ""])
        #expect(figures.genders.map(\.books) == [1, 2])
        #expect(figures.regions.last?.name == "" && figures.nationalities.last?.name == "")
        #expect(figures.genres.contains { $0.name.isEmpty })
        #expect(figures.topAuthors.count == 1)
    }

    @Test func `one library has its own figures`() async throws {
        let store = try FilledStore()
        try await store.importing([Self.text], job: "one")
        try await store.importing(
            [SmallLibrary.header + "\n" + SmallLibrary.dune], job: "theirs", library: "another")
        #expect(try figures(store, "another").books == 1 && figures(store).books == 8)
        #expect(throws: ETLError.self) { try figures(store, "none") }
    }

    @Test func `the JSON has every figure, and null for what is not known`() async throws {
        let store = try FilledStore()
        try await store.importing([Self.text], job: "one")
        var json = JSONWriter()
        try figures(store).write(into: &json)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any])
        #expect(object["books"] as? Int == 7)
        let genders = try #require(object["genders"] as? [[String: Any]])
        #expect(genders.last?["name"] is NSNull && genders.last?["books"] as? Int == 7)
        let comparison = try #require(object["comparison"] as? [String: Any])
        #expect(comparison["books"] as? Int == 3)
    }
}
