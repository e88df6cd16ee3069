import Bytes
import TestSupport
import Testing

@testable import Database
@testable import Store

@Suite struct PackedOutcomesTests {
    private static func record(
        _ row: Int, _ line: Int, _ outcome: RecordOutcome, _ isEnriched: Bool, _ entry: Int64
    ) -> NumberedOutcome {
        NumberedOutcome(row: row, line: line, outcome: outcome, isEnriched: isEnriched, entry: entry)
    }

    @Test func `outcomes round-trip`() {
        var random = SeededGenerator(seed: 20_261)
        for _ in 0..<200 {
            var expected: [NumberedOutcome] = []
            var outcomes = PackedOutcomes()
            var (row, line) = (Int.random(in: 1...5_000_000, using: &random), 1)
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                let one = Self.record(
                    row, line, RecordOutcome.allCases.randomElement(using: &random) ?? .created,
                    .random(using: &random),
                    .random(in: 1...1 << 40, using: &random))
                expected.append(one)
                outcomes.append(one)
                row += Int.random(in: 1...3, using: &random)
                line += Int.random(in: 0...900, using: &random)
            }
            #expect(PackedOutcomes.records(outcomes.packed) == expected)
            #expect(outcomes.count == expected.count)
            #expect(outcomes.lastRow == expected.last?.row ?? 0)
        }
    }

    @Test func `consecutive new records take four bytes each`() {
        var outcomes = PackedOutcomes()
        for number in 1...1_000 {
            outcomes.append(Self.record(number + 1, number + 1, .created, false, Int64(number)))
        }
        #expect(outcomes.packed.count <= 4_004)
    }

    @Test func `a damaged run yields the records before the damage`() {
        var outcomes = PackedOutcomes()
        for number in 1...3 { outcomes.append(Self.record(number, number, .created, true, Int64(number))) }
        let whole = PackedOutcomes.records(outcomes.packed)
        for length in 0..<outcomes.packed.count {
            let part = PackedOutcomes.records(Array(outcomes.packed.prefix(length)))
            #expect(part == Array(whole.prefix(length / 4)))
        }
        #expect(PackedOutcomes.records([0xFF, 0xFF, 0xFF]).isEmpty)
        #expect(PackedOutcomes.records([1, 1, 0x77, 2]).isEmpty)
    }

    @Test func `any bytes can be decoded, and what is decoded can be encoded`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                Bool.random(using: &random) ? UInt8.max : .random(in: 0...255, using: &random)
            }
            let records = PackedOutcomes.records(bytes)
            var outcomes = PackedOutcomes()
            for record in records { outcomes.append(record) }
            #expect(PackedOutcomes.records(outcomes.packed) == records)
        }
    }

    @Test func `numbers that no record has end a run`() {
        for number in [.max, 1 << 53 + 1] as [Int64] {
            var packed: [UInt8] = []
            Varint.append(UInt64(number), to: &packed)
            #expect(PackedOutcomes.records(packed + [1, 0, 2]).isEmpty)
            #expect(PackedOutcomes.records([1] + packed + [0, 2]).isEmpty)
        }
    }

    @Test func `a record with the largest possible number is inserted`() throws {
        let folder = try TemporaryFolder()
        let connection = try StoreFile.openForWriting(folder.file("library.sqlite"))
        let runs = try OutcomeRuns(connection)
        let records = [Self.record(1, 1, .created, false, 1), Self.record(.max, 1, .created, false, .max)]
        try runs.insert(records, file: 0, job: 1)
        #expect(try connection.integer("SELECT sum(count) FROM record_runs") == 2)
    }

    @Test func `a cleared run contains nothing of the previous one`() {
        var outcomes = PackedOutcomes()
        outcomes.append(Self.record(7, 9, .updated, true, 4))
        outcomes.removeAll()
        outcomes.append(Self.record(3, 3, .duplicate, false, 2))
        #expect(PackedOutcomes.records(outcomes.packed) == [Self.record(3, 3, .duplicate, false, 2)])
        #expect(outcomes.firstRow == 3)
    }
}

@Suite struct OutcomeRunsTests {
    private let folder: TemporaryFolder
    private let connection: Connection
    private let runs: OutcomeRuns

    init() throws {
        folder = try TemporaryFolder()
        connection = try StoreFile.openForWriting(folder.file("s.sqlite"))
        runs = try OutcomeRuns(connection)
    }

    private static func record(_ row: Int) -> NumberedOutcome {
        NumberedOutcome(
            row: row, line: row * 2, outcome: .created, isEnriched: row % 3 == 0, entry: Int64(row) + 7)
    }

    private func append(_ rows: [Int], file: Int = 0) throws {
        var outcomes = PackedOutcomes()
        for row in rows { outcomes.append(Self.record(row)) }
        try runs.append(outcomes, file: file, job: 1)
    }

    private func all(file: Int = 0) throws -> [NumberedOutcome] {
        let reader = try PackedOutcomesReader(connection, of: 1)
        var records: [NumberedOutcome] = []
        while let run = try reader.next() { if run.file == file { records += run.records } }
        return records
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `runs stay ordered, without overlaps and with each record once`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 1...300, using: &random)
        var stored: [Int] = []
        var missing: [Int] = []
        for row in 1...count {
            if Double.random(in: 0..<1, using: &random) < 0.6 {
                stored.append(row)
            } else {
                missing.append(row)
            }
        }
        var rest = stored[...]
        while !rest.isEmpty {
            let length = Int.random(in: 1...40, using: &random)
            try append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        try append([5, 9], file: 1)
        while !missing.isEmpty {
            let share = missing.filter { _ in Bool.random(using: &random) }
            try runs.insert(share.map(Self.record), file: 0, job: 1)
            stored += share
            missing.removeAll { share.contains($0) }
            #expect(try all() == stored.sorted().map(Self.record))
        }
        #expect(try all(file: 1).map(\.row) == [5, 9], "runs of another file are unchanged")
        #expect(try connection.integer("SELECT sum(count) FROM record_runs WHERE file = 0") == Int64(count))
        let overlaps = """
            SELECT count(*) FROM record_runs a JOIN record_runs b
            ON a.job = b.job AND a.file = b.file AND a.row < b.row AND a.last_row >= b.row
            """
        #expect(try connection.integer(overlaps) == 0)
        for row in 1...count {
            let found = try PackedOutcomesReader.record(row, file: 0, of: 1, in: connection)
            #expect(found == Self.record(row))
        }
    }

    @Test func `the records of some entries are found, and the others are skipped`() throws {
        try append([1, 2, 3])
        try append([4, 5], file: 1)
        try append([6, 7, 8], file: 2)
        let reader = try PackedOutcomesReader(newestJobsFirst: connection)
        let entries: Set<Int64> = [2, 3, 7].map { Self.record($0).entry }.reduce(into: []) { $0.insert($1) }
        var found: [[NumberedOutcome]] = []
        while let run = try reader.next(of: entries) { found.append(run.records) }
        #expect(found == [[Self.record(2), Self.record(3)], [Self.record(7)]])
        #expect(try PackedOutcomesReader(newestJobsFirst: connection).next(of: []) == nil)
    }

    @Test func `a run that grows too long is split`() throws {
        try append([1])
        try runs.insert((2...5_000).map(Self.record), file: 0, job: 1)
        #expect(try all().map(\.row) == Array(1...5_000))
        let longest = try #require(try connection.integer("SELECT max(count) FROM record_runs"))
        #expect(longest <= OutcomeRuns.maxRecords)
    }

    @Test func `the first record starts a run`() throws {
        try runs.insert([Self.record(7)], file: 0, job: 1)
        try runs.insert([Self.record(3)], file: 0, job: 1)
        #expect(try all().map(\.row) == [3, 7])
    }
}
