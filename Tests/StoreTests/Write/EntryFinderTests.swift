import Foundation
import Jobs
import System
import TestSupport
import Testing

@testable import Store

/// Whatever the order of an export, each record is recognized as the entry it was before and as no other.
@Suite struct EntryFinderTests {
    private static let header = "Book Id,Title,Author,ISBN,ISBN13,My Rating,Date Added,Exclusive Shelf\n"

    private static func row(_ number: Int, rating: Int = 3) -> String {
        "\(number),Book \(number),Author \(number / 4),,,\(rating),2020/01/01,read\n"
    }

    private static func importing(
        _ text: String, into sample: inout SampleImport, header: String = header
    ) async throws -> JobCounts {
        let path = sample.folder.file("\(UUID().uuidString).csv")
        try (header + text).write(toFile: path, atomically: true, encoding: .utf8)
        sample.files = [path]
        return try await sample.run("s.sqlite").job.counts
    }

    private static func sample() async throws -> SampleImport {
        var sample = try await SampleImport()
        sample.asksCatalog = false
        return sample
    }

    private static let orders: [String: @Sendable ([Int]) -> [Int]] = [
        "the same": { $0 }, "the opposite": { $0.reversed() },
        "shuffled": { numbers in
            var random = SeededGenerator(seed: 5)
            return numbers.shuffled(using: &random)
        },
        "one half after the other": { $0.filter { $0 % 2 == 0 } + $0.filter { $0 % 2 == 1 } },
        "each twice": { $0.flatMap { [$0, $0] } },
    ]

    @Test(arguments: orders.keys.sorted())
    func `an export in another order changes nothing`(order: String) async throws {
        var sample = try await Self.sample()
        let numbers = Array(1...90)
        _ = try await Self.importing(numbers.map { Self.row($0) }.joined(), into: &sample)
        let before = try sample.dump("s.sqlite")
        let reordered = Self.orders[order]?(numbers) ?? []
        let counts = try await Self.importing(reordered.map { Self.row($0) }.joined(), into: &sample)
        #expect(counts.duplicatesSkipped == reordered.count)
        #expect(counts.booksCreated == 0 && counts.booksUpdated == 0)
        #expect(try sample.dump("s.sqlite") == before)
    }

    @Test func `removed, new and changed records are distinguished from their neighbours`() async throws {
        var sample = try await Self.sample()
        _ = try await Self.importing((1...60).map { Self.row($0) }.joined(), into: &sample)
        let next = (1...70).filter { $0 % 7 != 0 }
        let counts = try await Self.importing(
            next.map { Self.row($0, rating: $0 % 10 == 1 ? 5 : 3) }.joined(), into: &sample)
        #expect(counts.booksCreated == next.count { $0 > 60 })
        #expect(counts.booksUpdated == next.count { $0 <= 60 && $0 % 10 == 1 })
        let again = try await Self.importing(
            next.map { Self.row($0, rating: $0 % 10 == 1 ? 5 : 3) }.joined(), into: &sample)
        #expect(again.duplicatesSkipped == next.count)
    }

    @Test func `entries of another library with the same ids are different entries`() async throws {
        var sample = try await Self.sample()
        let text = (1...40).map { Self.row($0) }.joined()
        for library in ["anna", "ben"] {
            sample.library = library
            #expect(try await Self.importing(text, into: &sample).booksCreated == 40)
        }
        for library in ["ben", "anna"] {
            sample.library = library
            #expect(try await Self.importing(text, into: &sample).duplicatesSkipped == 40)
        }
    }

    @Test func `entries are found under different columns`() async throws {
        var sample = try await Self.sample()
        let text = (1...40).map { Self.row($0) }.joined()
        _ = try await Self.importing(text, into: &sample)
        let wider = text.split(separator: "\n").map { "\($0),\n" }.joined()
        let header = Self.header.dropLast() + ",Condition\n"
        for _ in 1...2 {
            let counts = try await Self.importing(wider, into: &sample, header: String(header))
            #expect(counts.duplicatesSkipped == 40)
        }
    }
}

@Suite struct EntryPredictionTests {
    @Test func `the first record is predicted to be the first entry`() {
        #expect(EntryPrediction().guess == 0)
    }

    @Test func `after an entry the next one is predicted, whatever the gap`() {
        var order = EntryPrediction()
        for row: Int64 in [1, 2, 3, 515, 1_539] {
            order.note(row)
            #expect(order.guess == row)
        }
    }

    @Test func `after a miss nothing is predicted until entries are consecutive again`() {
        var order = EntryPrediction()
        order.note(5)
        order.noteMiss()
        #expect(order.guess == nil)
        order.note(4_000)
        #expect(order.guess == nil)
        order.note(4_001)
        #expect(order.guess == 4_001)
    }

    @Test func `an export in reverse order is not predicted`() {
        var order = EntryPrediction()
        order.note(100)
        for row: Int64 in [99, 98, 97] {
            order.note(row)
            #expect(order.guess == nil)
        }
    }

    @Test func `a repeated entry is not predicted to follow itself`() {
        var order = EntryPrediction()
        order.note(7)
        order.note(7)
        #expect(order.guess == nil)
    }
}
