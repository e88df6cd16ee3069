/// A valid ISBN, held as the number its ISBN-13 spells: eight bytes, and the integer key of every table.
public struct ISBN: Sendable, Hashable, Comparable {
    /// The ISBN-13 as a number, 9780000000000…9799999999999, its check digit correct.
    public let value: Int64

    /// Takes an ISBN-13 known to be valid.
    init(unchecked value: Int64) { self.value = value }

    public static func < (a: ISBN, b: ISBN) -> Bool { a.value < b.value }
}

/// How a damaged ISBN was repaired: only where one answer is certain. Raw values are stored.
public enum ISBNRepair: UInt8, Sendable, CaseIterable, Hashable {
    case placeholder = 1
}
