import TestSupport
import Testing

@testable import Books

@Suite struct RecordOutcomesTests {
    private static func record(
        _ row: Int, _ line: Int, _ fate: RecordOutcome, _ isEnriched: Bool, _ entry: Int64
    ) -> OutcomeOfRecord {
        OutcomeOfRecord(row: row, line: line, fate: fate, isEnriched: isEnriched, entry: entry)
    }

    @Test func `what is packed is read back`() {
        var random = SeededGenerator(seed: 20_261)
        for _ in 0..<200 {
            var expected: [OutcomeOfRecord] = []
            var fates = RecordOutcomes()
            var (row, line) = (Int.random(in: 1...5_000_000, using: &random), 1)
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                let one = Self.record(
                    row, line, RecordOutcome.allCases.randomElement(using: &random) ?? .created,
                    .random(using: &random),
                    .random(in: 1...1 << 40, using: &random))
                expected.append(one)
                fates.append(one)
                row += Int.random(in: 1...3, using: &random)
                line += Int.random(in: 0...900, using: &random)
            }
            #expect(RecordOutcomes.records(fates.packed) == expected)
            #expect(fates.count == expected.count)
            #expect(fates.lastRow == expected.last?.row ?? 0)
        }
    }

    @Test func `new records one after the other cost four bytes each`() {
        var fates = RecordOutcomes()
        for number in 1...1_000 {
            fates.append(Self.record(number + 1, number + 1, .created, false, Int64(number)))
        }
        #expect(fates.packed.count <= 4_004)
    }

    @Test func `a damaged run gives the records before the damage`() {
        var fates = RecordOutcomes()
        for number in 1...3 { fates.append(Self.record(number, number, .created, true, Int64(number))) }
        let whole = RecordOutcomes.records(fates.packed)
        for length in 0..<fates.packed.count {
            let part = RecordOutcomes.records(Array(fates.packed.prefix(length)))
            #expect(part == Array(whole.prefix(length / 4)))
        }
        #expect(RecordOutcomes.records([0xFF, 0xFF, 0xFF]).isEmpty)
        #expect(RecordOutcomes.records([1, 1, 0x77, 2]).isEmpty)
    }

    @Test func `a run begun anew knows nothing of the one before`() {
        var fates = RecordOutcomes()
        fates.append(Self.record(7, 9, .updated, true, 4))
        fates.removeAll()
        fates.append(Self.record(3, 3, .duplicate, false, 2))
        #expect(RecordOutcomes.records(fates.packed) == [Self.record(3, 3, .duplicate, false, 2)])
        #expect(fates.firstRow == 3)
    }
}
