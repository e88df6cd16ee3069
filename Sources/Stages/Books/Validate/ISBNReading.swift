/// A verdict with what a second, damaged cell of the same row needs to settle it.
struct ISBNReading: Equatable {
    var verdict: ISBNVerdict
    /// Digits of the number as it stood: tells a cell with an ISBN-13 from one with an ISBN-10.
    var length = 0
    /// What a damaged cell still says.
    var remnant = ISBNRemnant.nothing

    static let absent = ISBNReading(verdict: .absent)

    static func valid(_ isbn: ISBN, length: Int) -> ISBNReading {
        ISBNReading(verdict: .valid(isbn), length: length)
    }

    /// An impossible number; what its remnant says is proposed where it is a single number.
    static func impossible(
        _ reason: ISBNFault.Reason, length: Int = 0, remnant: ISBNRemnant = .nothing
    ) -> ISBNReading {
        let numbers = remnant.numbers(atMost: 20)
        let fault = ISBNFault(reason, proposal: numbers.count == 1 ? numbers[0] : nil)
        return ISBNReading(verdict: .impossible(fault), length: length, remnant: remnant)
    }

    /// How much a reading is worth when several ways to read a cell compete.
    var rank: Int {
        switch verdict {
        case .valid: 3
        case .repaired: 2
        case .impossible: 1
        case .absent: 0
        }
    }
}

/// The ISBNs a damaged number can have been.
enum ISBNRemnant: Equatable {
    /// It says nothing.
    case nothing
    /// One of these.
    case oneOf([ISBN])
    /// An ISBN-13 in this range.
    case within(ClosedRange<Int64>)

    /// Whether a number agrees with what is left.
    func allows(_ isbn: ISBN) -> Bool {
        switch self {
        case .nothing: false
        case .oneOf(let numbers): numbers.contains(isbn)
        case .within(let range): range.contains(isbn.value)
        }
    }

    /// The numbers one by one; none where a range is wider than `width`.
    func numbers(atMost width: Int64) -> [ISBN] {
        switch self {
        case .nothing: []
        case .oneOf(let numbers): numbers
        case .within(let range):
            range.upperBound - range.lowerBound < width ? range.compactMap { ISBN(number: $0) } : []
        }
    }

    /// The numbers that agree with both remnants; nil where either says nothing or both say too little.
    func common(with other: ISBNRemnant) -> [ISBN]? {
        guard self != .nothing, other != .nothing else { return nil }
        let mine = numbers(atMost: 2_000)
        if !mine.isEmpty { return mine.filter(other.allows) }
        let others = other.numbers(atMost: 2_000)
        return others.isEmpty ? nil : others.filter(allows)
    }
}
