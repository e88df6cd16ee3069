import System
import TestSupport
import Testing

@testable import Books
@testable import Bytes
@testable import Sources

/// The packed form of decoded answers.
@Suite struct DecodedAnswerTests {
    private static func randomRecord(_ generator: inout SeededGenerator) -> OpenLibraryRecord {
        let kinds: [OpenLibraryRecord.Kind] = [.edition, .work, .author, .moved]
        var record = OpenLibraryRecord(kinds.randomElement(using: &generator) ?? .work)
        record.body =
            (0..<Int.random(in: 0...300, using: &generator)).map { UInt8(truncatingIfNeeded: $0) }[...]
        record.standIn = (0..<Int.random(in: 0...3, using: &generator)).map { UInt8($0) }[...]
        if Bool.random(using: &generator) { record.work = "OL\(Int.random(in: 1...99, using: &generator))W" }
        record.authors = (0..<Int.random(in: 0...4, using: &generator)).map { "OL\($0)A" }
        return record
    }

    @Test func `an Open Library record round-trips, and a truncated one is rejected`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            let record = Self.randomRecord(&generator)
            let packed = record.packed
            #expect(OpenLibraryRecord(packed: packed[...]) == record)
            #expect(OpenLibraryRecord(packed: (packed + [0])[...]) == nil)
            for length in 0..<packed.count { #expect(OpenLibraryRecord(packed: packed[..<length]) == nil) }
        }
    }

    @Test func `a person with works round-trips, and a truncated one is rejected`() {
        var person = PersonFacts(item: 42, kind: .human)
        person.label = "Ada Marlow"
        person.aliases = ["A. Marlow"]
        person.birthYear = -44
        person.works = [7, 900_000_001]
        let decoded = person.decoded
        #expect(PersonFacts(decoded: decoded[...]) == person)
        for length in 0..<decoded.count { #expect(PersonFacts(decoded: decoded[..<length]) == nil) }
    }

    @Test func `random bytes are rejected or packed again into the same value`() {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<2_000 {
            let length = Int.random(in: 0...40, using: &generator)
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            if let record = OpenLibraryRecord(packed: bytes[...]) {
                #expect(OpenLibraryRecord(packed: record.packed[...]) == record)
            }
            if let person = PersonFacts(decoded: bytes[...]) {
                #expect(PersonFacts(decoded: person.decoded[...]) == person)
            }
            #expect(WikidataService.items(decoded: bytes[...]).count <= bytes.count)
            var answers = BookAnswers()
            answers.append(bytes[...], isSynthetic: true)
            #expect(answers.answers.count == 1)
            let answer = answers.answers[0]
            #expect([.found, .malformed].contains(answer.outcome))
            #expect((answer.outcome == .malformed) == answers.values.isEmpty)
            #expect(answer.values == answers.values.indices)
            #expect(answers.arena.byteCount <= bytes.count)
        }
    }

    @Test func `damaged bytes are rejected or packed again into the same value`() {
        var generator = SeededGenerator(seed: 10)
        var person = PersonFacts(item: 42, kind: .human)
        person.label = "Ada Marlow"
        person.birthYear = -44
        person.works = [7, 900_000_001]
        var accepted = 0
        for _ in 0..<2_000 {
            var bytes = Self.randomRecord(&generator).packed
            bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            if let record = OpenLibraryRecord(packed: bytes[...]) {
                #expect(OpenLibraryRecord(packed: record.packed[...]) == record)
                accepted += 1
            }
            bytes = person.decoded
            bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            if let person = PersonFacts(decoded: bytes[...]) {
                #expect(PersonFacts(decoded: person.decoded[...]) == person)
                accepted += 1
            }
        }
        #expect(accepted > 100, "\(accepted) accepted")
    }

    @Test func `years in free text are limited by the time of the response`() {
        let words = Array(
            #"{"key":"/works/OL1W","title":"T","first_publish_date":"2028","type":{"key":"/type/work"}}"#.utf8
        )
        func says(_ fetchedAt: Int64) -> Bool {
            var records = OpenLibraryRecords(fetchedAt: fetchedAt)
            return records.work(words)?.body.contains(Field.firstPublicationYear.rawValue) == true
        }
        // Mid-2025 and mid-2026.
        #expect(!says(1_750_000_000_000))
        #expect(says(1_782_000_000_000))
    }
}
