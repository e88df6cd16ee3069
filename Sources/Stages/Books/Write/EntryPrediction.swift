/// Guesses where a record's entry is: an export mostly keeps its order from one import to the next, so the entry behind
/// the one found last is mostly that of the next known record.
///
/// A guess that was wrong is followed by none until entries are found one behind the other again: what comes in an order
/// of its own costs one guess in vain, not one a record.
struct EntryPrediction {
    /// Rows between two entries at the most that count as one behind the other: those of records that turned out to be
    /// known leave gaps.
    private static let widestGap: Int64 = 1 << 10

    private var last: Int64 = 0
    private var isKept = true

    /// The row behind which the next entry is guessed to be; nil where there is nothing to go by.
    var guess: Int64? { isKept ? last : nil }

    /// Notes that the guess was wrong.
    mutating func noteMiss() { isKept = false }

    /// Notes where an entry was found, with or without a guess.
    mutating func note(_ row: Int64) {
        isKept = row > last && row - last <= Self.widestGap
        last = row
    }
}
