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

    private func statistics(_ store: FilledStore, _ library: String? = nil, most: Int = 10) throws
        -> LibraryStatistics
    {
        var reader = StatisticsReader(try store.open(), now: Self.now, most: most)
        return try reader.read(library)
    }

    @Test func `an empty library has statistics of zero`() throws {
        let store = try FilledStore()
        _ = try StoreFile.openForWriting(store.path)
        let statistics = try statistics(store)
        #expect(statistics == LibraryStatistics())
    }

    @Test func `books count by year, and those without a date apart`() async throws {
        let store = try FilledStore()
        try await store.importing([Self.text], job: "one")
        let statistics = try statistics(store)
        #expect(
            statistics.books == 7 && statistics.read == 4 && statistics.pages == 410
                && statistics.authors == 2)
        // Nobody has read in the year 1.
        #expect(statistics.readWithoutDate == 2)
        #expect(statistics.years.map(\.year) == [2024])
        let year = try #require(statistics.years.last)
        #expect(year.books == 2 && year.pages == 100 && year.withoutPages == 1 && year.rating == 3.5)
        #expect(statistics.statuses.map(\.name) == ["read", "to-read", "did-not-finish"])
        #expect(statistics.decades.map(\.name) == ["-850", "1960", "1990", "2000", ""])
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
        let statistics = try statistics(store)
        #expect(statistics.read == read && statistics.pages == read * 100)
    }

    /// The same person's StoryGraph file: A with another day, B with a reading more, C as it is, and a book that is new.
    private static let fromStoryGraph =
        ([
            "Title,Authors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Star Rating",
            "A,Ann Ek,,paperback,read,2024/01/01,2024/05/02,2024/05/02,1,4.75",
            "B,Ann Ek,,paperback,read,2024/01/01,2024/06/01,\"2024/06/01, 2024/01/03, 2023/01/03\",3,2.0",
            "C,Bo Li,,paperback,read,2020/01/01,,,1,", "New,Cy Do,,paperback,to-read,2026/01/01,,,0,",
        ].joined(separator: "\n")) + "\n"

    @Test func `a book from two programs counts once`() async throws {
        let store = try FilledStore()
        try await store.importing([Self.text], as: ["goodreads.csv"], job: "one")
        let before = try statistics(store)
        #expect(before.entries == 7)
        try await store.importing([Self.fromStoryGraph], as: ["storygraph.csv"], job: "two")
        let statistics = try statistics(store)
        #expect(statistics.books == 8 && statistics.entries == 11 && statistics.works == 8)
        #expect(statistics.read == before.read && statistics.pages == before.pages)
        #expect(statistics.statuses.map(\.books) == [4, 3, 1])
        // B was read twice in 2024 by one file, and A once by both, on two days.
        #expect(statistics.years.map(\.year) == [2023, 2024] && statistics.years.map(\.books) == [1, 3])
        #expect(
            statistics.ratings.map(\.books) == [1, 1, 1] && statistics.ratings.map(\.stars) == [1, 2, 5])
        #expect(statistics.topAuthors.first { $0.name == "Ann Ek" }?.books == 2)
        #expect(statistics.rereads.map(\.title) == ["B"])
    }

    @Test func `a book of two people counts for each of them`() async throws {
        let store = try FilledStore()
        try await store.importing([Self.text], as: ["mine.csv"], job: "one")
        try await store.importing([Self.text], as: ["theirs.csv"], job: "two", library: "theirs")
        let statistics = try statistics(store)
        #expect(statistics.books == 14 && statistics.entries == 14 && statistics.works == 7)
    }

    @Test func `ratings are compared with those of others`() async throws {
        let store = try FilledStore()
        try await store.importing([Self.text], job: "one")
        let statistics = try statistics(store)
        #expect(statistics.ratings.map(\.stars) == [1, 2, 5] && statistics.compared == 3)
        #expect(statistics.above.map(\.title) == ["A"] && statistics.below.map(\.title) == ["B"])
    }

    @Test func `gaps in series, books read again and the longest waits are listed`() async throws {
        let store = try FilledStore()
        try await store.importing([Self.text], job: "one")
        let statistics = try statistics(store)
        #expect(statistics.series == [.init(name: "Saga", have: [1, 4], missing: [2, 3])])
        #expect(statistics.rereads.map(\.title) == ["B"] && statistics.rereads.first?.times == 3)
        #expect(statistics.waits.map(\.title) == ["E", "D"])
        #expect(statistics.waits.map(\.days) == [365, 1])
    }

    @Test func `what is not known about authors is counted, also in short lists`() async throws {
        let store = try await SmallLibrary.store()
        let statistics = try statistics(store, most: 1)
        #expect(statistics.genders.map(\.name) == ["Male", ""])
        #expect(statistics.genders.map(\.books) == [1, 2])
        #expect(statistics.regions.last?.name == "" && statistics.nationalities.last?.name == "")
        #expect(statistics.genres.contains { $0.name.isEmpty })
        #expect(statistics.topAuthors.count == 1)
    }

    @Test func `one library has its own statistics`() async throws {
        let store = try FilledStore()
        try await store.importing([Self.text], job: "one")
        try await store.importing(
            [SmallLibrary.header + "\n" + SmallLibrary.dune], job: "theirs", library: "another")
        #expect(try statistics(store, "another").books == 1 && statistics(store).books == 8)
        #expect(throws: ETLError.self) { try statistics(store, "none") }
    }

    @Test func `the JSON has every metric, and null for what is not known`() async throws {
        let store = try FilledStore()
        try await store.importing([Self.text], job: "one")
        var json = JSONWriter()
        try statistics(store).write(into: &json)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any])
        #expect(object["books"] as? Int == 7)
        let genders = try #require(object["genders"] as? [[String: Any]])
        #expect(genders.last?["name"] is NSNull && genders.last?["books"] as? Int == 7)
        let comparison = try #require(object["comparison"] as? [String: Any])
        #expect(comparison["books"] as? Int == 3)
    }
}
