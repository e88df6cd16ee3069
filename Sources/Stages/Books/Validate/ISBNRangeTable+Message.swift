public import Syntax

extension ISBNRangeTable {
    /// Reads the International ISBN Agency's range message (`RangeMessage.xml`).
    ///
    /// Groups of EAN prefixes and of registration groups look alike: `Prefix`, then `Rule`s of `Range`
    /// (`0000000-1999999`) and `Length`.
    ///
    /// - Throws: ``XMLFault`` where it is no XML we read, or no range message.
    public init(message bytes: [UInt8]) throws(XMLFault) {
        self.init()
        var table = ISBNRangeTable()
        var message = RangeMessage()
        try XMLDocument(bytes).forEachEvent { (event, line) throws(XMLFault) in
            switch event {
            case .start(let name):
                message.text = ""
                message.open(name)
            case .text(let text): message.text += text
            case .end(let name):
                guard message.close(name) else {
                    throw XMLFault(
                        "The range of an ISBN prefix is malformed: \"\(message.text)\".", line: line)
                }
                if let (prefix, intervals) = message.finished(name),
                    !table.divide(prefix: prefix, intervals)
                {
                    throw XMLFault("The ranges of prefix \(prefix) overlap.", line: line)
                }
            }
        }
        guard table.count > 2 else { throw XMLFault("The file is no ISBN range message.", line: 1) }
        self = table
    }
}

/// The part of a range message that is being read: one prefix.
private struct RangeMessage {
    var text = ""
    private var prefix: Int64?
    private var range: (first: Int32, last: Int32)?
    private var intervals: [ISBNRangeTable.Interval] = []

    init() {}

    private static func isPrefixElement(_ name: String) -> Bool { name == "EAN.UCC" || name == "Group" }

    mutating func open(_ name: String) {
        guard Self.isPrefixElement(name) else { return }
        prefix = nil
        intervals = []
    }

    /// Takes the text of an element that ends; false where it is not what it must be.
    mutating func close(_ name: String) -> Bool {
        switch name {
        case "Prefix":
            prefix = Int64(text.filter { $0 != "-" })
            return prefix != nil
        case "Range":
            let sides = text.split(separator: "-")
            guard sides.count == 2, sides.allSatisfy({ $0.utf8.count == 7 }), let first = Int32(sides[0]),
                let last = Int32(sides[1]), first <= last
            else { return false }
            range = (first, last)
            return true
        case "Length":
            guard let length = UInt8(text), length <= 8, let range else { return false }
            // What lies between two ranges is assigned to nobody.
            if let next = intervals.last?.start, next == range.first { intervals.removeLast() }
            intervals.append(.init(start: range.first, length: length))
            if range.last < 9_999_999 { intervals.append(.init(start: range.last + 1, length: 0)) }
            self.range = nil
            return true
        default:
            return true
        }
    }

    /// The prefix that the end of an element completes.
    func finished(_ name: String) -> (Int64, [ISBNRangeTable.Interval])? {
        guard Self.isPrefixElement(name), let prefix else { return nil }
        return (prefix, intervals)
    }
}
