/// The field that ``CSVParser`` is in the middle of.
struct OpenField {
    /// What has been met of it. Nothing, and ``enclosed`` alone, is the rule: all else makes its end a case
    /// of its own.
    struct Shape: OptionSet {
        let rawValue: UInt8

        /// It stands within quotes, and nothing follows the closing one.
        static let enclosed = Shape(rawValue: 1 << 0)
        /// It began with a quote, and the closing one has not been met.
        static let quoted = Shape(rawValue: 1 << 1)
        static let doubledQuote = Shape(rawValue: 1 << 2)
        static let textAfterQuote = Shape(rawValue: 1 << 3)
        static let strayQuote = Shape(rawValue: 1 << 4)
        /// It began with `="`: the spreadsheets' way to keep digits text.
        static let formulaOpen = Shape(rawValue: 1 << 5)
        /// And ended with the second quote: nothing stray about it.
        static let formulaClosed = Shape(rawValue: 1 << 6)
    }

    let start: Int
    var shape: Shape = []

    @inline(__always)
    init(start: Int) {
        self.start = start
    }

    @inline(__always) var isQuoted: Bool { shape.contains(.quoted) }
    @inline(__always) var isPlain: Bool { shape.rawValue <= Shape.enclosed.rawValue }

    /// Takes note of the closing quote.
    @inline(__always)
    mutating func close(isEnclosed: Bool) {
        shape.remove(.quoted)
        shape.insert(isEnclosed ? .enclosed : .textAfterQuote)
    }

    /// Takes note of a quote in a field that is not quoted, or no longer.
    mutating func meetQuote(at offset: Int, afterEquals: Bool, atEnd: Bool) {
        if shape.contains(.textAfterQuote) { return }
        if offset == start + 1, afterEquals {
            shape.insert(.formulaOpen)
        } else if shape == .formulaOpen, atEnd {
            shape.insert(.formulaClosed)
        } else {
            shape.insert(.strayQuote)
        }
    }

    /// Where the cell's bytes are, its enclosing quotes left out. An empty cell is the absent text.
    @inline(__always)
    func text(end: Int, offset: Int) -> Text {
        let trailing = Int(shape.rawValue & Shape.enclosed.rawValue)
        // Only the end of the input leaves a field quoted.
        let leading = trailing | Int(shape.rawValue & Shape.quoted.rawValue) >> 1
        let length = end &- start &- leading &- trailing
        return Text(
            offset: length == 0 ? 0 : UInt32(truncatingIfNeeded: offset &+ start &+ leading),
            length: UInt32(truncatingIfNeeded: length))
    }
}
