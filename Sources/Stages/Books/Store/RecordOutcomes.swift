import Bytes

/// What became of a record of a job.
package struct OutcomeOfRecord: Sendable, Hashable {
    /// Record number in its file, from 1.
    package var row: Int
    /// Physical line on which it begins, from 1.
    package var line: Int
    package var fate: RecordOutcome
    /// Whether a provider matched.
    package var isEnriched: Bool
    /// The reader's entry it became, or is another mention of.
    package var entry: Int64
}

/// The fates of consecutive records of a file, as the table `record_runs` keeps them: one row for all.
///
/// A row of its own for each record costs as much as its entry; packed, a record costs four bytes.
///
///     for each record:  varint     row, less the one before it
///                       varint     line, less the one before it
///                       1 byte     fate | 8, where a provider matched
///                       zigzag     entry, less the one before it
struct RecordOutcomes: Sendable, Hashable {
    private(set) var count = 0
    /// Number of the first record.
    private(set) var firstRow = 0
    /// Number of the last record.
    private(set) var lastRow = 0
    private(set) var packed: [UInt8] = []
    private var lastLine = 0
    private var lastEntry: Int64 = 0

    private static let enrichedBit: UInt8 = 8

    init() {}

    /// Appends a record, whose number and line are no lower than the last one's.
    mutating func append(_ record: OutcomeOfRecord) {
        if count == 0 { firstRow = record.row }
        Varint.append(UInt64(max(0, record.row - lastRow)), to: &packed)
        Varint.append(UInt64(max(0, record.line - lastLine)), to: &packed)
        packed.append(record.fate.rawValue | (record.isEnriched ? Self.enrichedBit : 0))
        Varint.append(signed: record.entry - lastEntry, to: &packed)
        (lastRow, lastLine, lastEntry) = (record.row, record.line, record.entry)
        count += 1
    }

    /// Begins anew in the same memory.
    mutating func removeAll() {
        packed.removeAll(keepingCapacity: true)
        (count, firstRow, lastRow, lastLine, lastEntry) = (0, 0, 0, 0, 0)
    }

    /// The records of a packed run; those before the damage, where it is damaged.
    static func records(_ packed: [UInt8]) -> [OutcomeOfRecord] {
        var rest = packed[...]
        var records: [OutcomeOfRecord] = []
        var (row, line, entry) = (0, 0, 0 as Int64)
        while let rowStep = Varint.take(&rest), let lineStep = Varint.take(&rest),
            let byte = rest.popFirst(), let entryStep = Varint.takeSigned(&rest),
            let fate = RecordOutcome(rawValue: byte & ~enrichedBit)
        {
            row &+= Int(truncatingIfNeeded: rowStep)
            line &+= Int(truncatingIfNeeded: lineStep)
            entry &+= entryStep
            records.append(
                OutcomeOfRecord(
                    row: row, line: line, fate: fate, isEnriched: byte & enrichedBit != 0, entry: entry))
        }
        return records
    }
}
