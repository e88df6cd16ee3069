/// The result of parsing a cell, with the details needed to combine it with another cell of the row.
package struct ISBNReading: Equatable {
    package var verdict: ISBNVerdict
    /// Number of digits as written, which distinguishes an ISBN-13 from an ISBN-10.
    package var length = 0
    /// The ISBNs a damaged cell could have had.
    package var candidates = ISBNCandidates.nothing

    package static let absent = ISBNReading(verdict: .absent)

    package static func valid(_ isbn: ISBN, length: Int) -> ISBNReading {
        ISBNReading(verdict: .valid(isbn), length: length)
    }

    /// An impossible number. If there is a single candidate, that is the proposal.
    package static func impossible(
        _ reason: ISBNFault.Reason, length: Int = 0, candidates: ISBNCandidates = .nothing
    ) -> ISBNReading {
        let numbers = candidates.numbers(atMost: 20)
        let fault = ISBNFault(reason, proposal: numbers.count == 1 ? numbers[0] : nil)
        return ISBNReading(verdict: .impossible(fault), length: length, candidates: candidates)
    }

    /// Priority among several readings of a cell.
    package var rank: Int {
        switch verdict {
        case .valid: 3
        case .repaired: 2
        case .impossible: 1
        case .absent: 0
        }
    }
}

/// The ISBNs that a damaged number could have been.
package enum ISBNCandidates: Equatable {
    /// Unknown.
    case nothing
    /// One of these.
    case oneOf([ISBN])
    /// An ISBN-13 in this range.
    case within(ClosedRange<Int64>)

    /// Whether a number is among the possible ones.
    package func allows(_ isbn: ISBN) -> Bool {
        switch self {
        case .nothing: false
        case .oneOf(let numbers): numbers.contains(isbn)
        case .within(let range): range.contains(isbn.value)
        }
    }

    /// The possible numbers as a list; empty if there is a range of `width` or more.
    func numbers(atMost width: Int64) -> [ISBN] {
        switch self {
        case .nothing: []
        case .oneOf(let numbers): numbers
        case .within(let range):
            range.upperBound - range.lowerBound < width ? range.compactMap { ISBN(number: $0) } : []
        }
    }

    /// The numbers possible for both candidates; nil if one is unknown or both ranges are too wide.
    package func common(with other: ISBNCandidates) -> [ISBN]? {
        guard self != .nothing, other != .nothing else { return nil }
        let mine = numbers(atMost: 2_000)
        if !mine.isEmpty { return mine.filter(other.allows) }
        let others = other.numbers(atMost: 2_000)
        return others.isEmpty ? nil : others.filter(allows)
    }
}
