import TestSupport
import Testing

@testable import Books
@testable import Database
@testable import Store

/// Comparing a record with a stored row as bytes never hides a change.
@Suite struct RowComparisonTests {
    private static let fields: [Field] = [.format, .genre, .seriesName, .averageRating, .isbn13, .authorName]

    private static func value(_ field: Field, _ random: inout SeededGenerator) -> String {
        if Int.random(in: 0..<4, using: &random) == 0 { return "" }
        guard field.isList else { return ["one", "One", "two"].randomElement(using: &random) ?? "" }
        let all = ["one", "One", "a \"quote\"", "back\\slash", "two,three", "ü"]
        return StoredList.stored(all.filter { _ in Bool.random(using: &random) }) ?? ""
    }

    private static func rule(_ random: inout SeededGenerator) -> MergeRule {
        [.given, .assumed, .fromShelves].randomElement(using: &random) ?? .given
    }

    /// The lineage of a prepared row: the record's entry, then a candidate.
    private static func prepared(_ field: Field, source: Int, _ rule: MergeRule) -> [UInt8] {
        [field.rawValue, UInt8(source << 4) | rule.rawValue]
    }

    @Test func `a settled value changes nothing when it is offered`() {
        var random = SeededGenerator(seed: 22)
        var settled = 0
        for _ in 0..<20_000 {
            let field = Self.fields.randomElement(using: &random) ?? .format
            let (present, offered) = (Self.value(field, &random), Self.value(field, &random))
            let isNewEntry = Bool.random(using: &random)
            let onlyFills = Bool.random(using: &random)
            let isCommunity = field == .averageRating
            var lineage = Lineage()
            if !present.isEmpty, Int.random(in: 0..<8, using: &random) > 0 {
                let sources: [Lineage.Source] =
                    isNewEntry ? [.entry(1), .candidate(9)] : [.entry(1), .entry(2), .candidate(9)]
                lineage.set(
                    field, from: sources.randomElement(using: &random) ?? .entry(1), by: Self.rule(&random))
            }
            let (source, rule) = (Int.random(in: 0...1, using: &random), Self.rule(&random))
            let comparison = RowComparison(
                offered: Self.prepared(field, source: source, rule).withUnsafeBytes {
                    LineageFields(prepared: $0, candidates: 1)
                },
                stored: lineage.encoded().withUnsafeBytes { LineageFields(stored: $0) },
                isNewEntry: isNewEntry, onlyFills: onlyFills)
            let isSettled = Array(offered.utf8).withUnsafeBytes { offered in
                Array(present.utf8).withUnsafeBytes { present in
                    comparison.isSettled(field, offered, present, isCommunity: isCommunity)
                        && !comparison.mayWithdraw(field, offered, present)
                }
            }
            guard isSettled else { continue }
            settled += 1
            var row = StoredRow(
                fields: [field], PackedRow(columns: 1) { $1.append(contentsOf: present.utf8) },
                lineage: lineage)
            if offered.isEmpty, !onlyFills, field == .genre {
                row.withdraw(column: 0, by: .entry(2), rule: .fromShelves)
            }
            row.offer(
                column: 0, offered, from: source == 0 ? .entry(2) : .candidate(7), by: rule,
                policy: OfferPolicy(onlyFills: onlyFills), isCommunity: isCommunity)
            #expect(!row.isTouched, "\(field): \(present) from \(lineage) offered \(offered)")
        }
        #expect(settled > 5_000)
    }

    @Test func `a list has all strings of another one, as they are stored`() {
        func contains(_ list: [String], _ other: [String]) -> Bool {
            Array((StoredList.stored(list) ?? "").utf8).withUnsafeBytes { list in
                Array((StoredList.stored(other) ?? "").utf8).withUnsafeBytes { other in
                    StoredList.contains(list, allOf: other)
                }
            }
        }
        #expect(contains(["a", "b"], ["b"]))
        #expect(contains(["a", "b"], []))
        #expect(contains(["quote \"", "]"], ["]", "quote \""]))
        #expect(!contains(["a", "b"], ["c"]))
        #expect(!contains(["ab"], ["a"]))
        #expect(!contains([], ["a"]))
    }

    @Test(arguments: ["[\"a\"", "[\"a", "[", "x", "[\"a\",", "[\"a\\", "[1]"])
    func `a list that is not valid has to be decoded`(other: String) {
        Array("[\"a\"]".utf8).withUnsafeBytes { list in
            Array(other.utf8).withUnsafeBytes { other in
                #expect(!StoredList.contains(list, allOf: other))
            }
        }
    }

    @Test(
        arguments: [
            "0", "7", "007", "0.5", "3.94", "3.940", "4", "4.0", "123456789", "1234567890", "1.1234567", "-8",
            "1e3",
            ".5", "5.", "212.50", "00.10", "abc", "", "0.000001", "999999999.999999", " 7",
        ])
    func `a number in memory is what SQLite would return`(number: String) throws {
        let connection = try Connection(":memory:", .create)
        try connection.execute("CREATE TABLE numbers(integer INTEGER, real REAL)")
        try connection.execute("INSERT INTO numbers VALUES (?1, ?1)", number)
        for (column, isReal) in [("integer", false), ("real", true)] {
            var bytes = Array("x\(number)".utf8)
            let isKnown = bytes.normalizeNumber(from: 1, isReal: isReal)
            let stored = try connection.string("SELECT \(column) FROM numbers") ?? ""
            #expect(!isKnown || String(decoding: bytes.dropFirst(), as: UTF8.self) == stored)
        }
    }
}
