package import Syntax

/// Division of ISBNs into prefix, group, registrant and publication, which determines the hyphens.
///
/// The lengths of these parts follow no rule; the International ISBN Agency lists them in its range message
/// (ISBN Users' Manual, section 4). The first line of the built-in table has its date. ``init(message:)``
/// reads a newer message.
package struct ISBNRangeTable: Sendable, Equatable {
    /// The intervals of the next element by prefix: 978, or with a group's digits 97899974.
    private var divisions: [Int64: [Interval]] = [:]

    /// From these seven digits on, up to the next interval, the next element has `length` digits.
    struct Interval: Sendable, Equatable {
        var start: Int32
        /// 0 if not assigned.
        var length: UInt8
    }

    /// The table built into the program.
    package static let builtIn = ISBNRangeTable(compact: PackageResources.isbn_ranges_tsv)

    init() {}

    /// Reads the compact form, which its first lines describe. Other lines are skipped.
    init(compact bytes: [UInt8]) {
        for line in bytes.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
            let parts = line.split(separator: UInt8(ascii: "\t"))
            guard parts.count == 2 else { continue }
            let intervals = parts[1].split(separator: UInt8(ascii: " ")).compactMap(Self.interval)
            if let prefix = Self.digits(parts[0].filter { $0 != UInt8(ascii: "-") }) {
                divisions[prefix] = intervals
            }
        }
    }

    /// Number of prefixes.
    var count: Int { divisions.count }

    /// Sets how the element after a prefix divides. Rejects intervals that overlap or are out of order.
    mutating func divide(prefix: Int64, _ intervals: [Interval]) -> Bool {
        guard zip(intervals, intervals.dropFirst()).allSatisfy({ $0.start < $1.start }) else { return false }
        divisions[prefix] = intervals
        return true
    }

    /// The five parts of an ISBN-13, as digits; nil if the table has no such group or registrant.
    func parts(of isbn: ISBN) -> [Substring]? {
        let digits = isbn.isbn13
        let ean = digits.prefix(3)
        guard let group = length(after: String(ean), rest: digits.dropFirst(3).dropLast()) else { return nil }
        let prefix = digits.prefix(3 + group)
        let rest = digits.dropFirst(3 + group).dropLast()
        guard let registrant = length(after: String(prefix), rest: rest), registrant < rest.count else {
            return nil
        }
        return [
            ean, prefix.dropFirst(3), rest.prefix(registrant), rest.dropFirst(registrant), digits.suffix(1),
        ]
    }

    /// The ISBN-13 with hyphens, `978-0-439-02348-1`.
    package func hyphenated(_ isbn: ISBN) -> String? {
        parts(of: isbn).map { $0.joined(separator: "-") }
    }

    /// The ISBN-10 with hyphens, `0-439-02348-3`.
    package func hyphenatedTen(_ isbn: ISBN) -> String? {
        guard let ten = isbn.isbn10, let parts = parts(of: isbn) else { return nil }
        return (parts[1...3] + [ten.suffix(1)]).joined(separator: "-")
    }

    /// Number of digits of the element after a prefix; nil if not assigned.
    private func length(after prefix: String, rest: Substring) -> Int? {
        guard let key = Int64(prefix), let intervals = divisions[key] else { return nil }
        let seven = rest.prefix(7)
        guard var place = Int32(seven) else { return nil }
        for _ in seven.count..<7 { place *= 10 }
        guard let interval = intervals.last(where: { $0.start <= place }), interval.length > 0 else {
            return nil
        }
        return Int(interval.length)
    }

    private static func interval(_ text: ArraySlice<UInt8>) -> Interval? {
        let sides = text.split(separator: UInt8(ascii: ":"))
        guard sides.count == 2, sides[0].count <= 7, var start = digits(sides[0]),
            let length = digits(sides[1]), length <= 8
        else { return nil }
        for _ in sides[0].count..<7 { start *= 10 }
        return Interval(start: Int32(start), length: UInt8(length))
    }

    private static func digits(_ bytes: some Collection<UInt8>) -> Int64? {
        Int64(String(decoding: bytes, as: UTF8.self))
    }
}

extension ISBNRangeTable {
    /// Reads the International ISBN Agency's range message (`RangeMessage.xml`).
    ///
    /// EAN prefixes and registration groups have the same structure: `Prefix`, then `Rule`s with `Range`
    /// (`0000000-1999999`) and `Length`.
    ///
    /// - Throws: `XMLFault` if it is not well-formed XML, or not a range message.
    package init(message bytes: [UInt8]) throws(XMLFault) {
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
                        "The range of an ISBN prefix is malformed: “\(message.text)”.", line: line)
                }
                if let (prefix, intervals) = message.finished(name),
                    !table.divide(prefix: prefix, intervals)
                {
                    throw XMLFault("The ranges of prefix \(prefix) overlap.", line: line)
                }
            }
        }
        guard table.count > 2 else { throw XMLFault("The file is not an ISBN range message.", line: 1) }
        self = table
    }
}

/// The part of a range message that is being parsed: one prefix.
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

    /// Processes the text of an element at its end; false if the text is invalid.
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
            // Numbers between two ranges are not assigned.
            if let next = intervals.last?.start, next == range.first { intervals.removeLast() }
            intervals.append(.init(start: range.first, length: length))
            if range.last < 9_999_999 { intervals.append(.init(start: range.last + 1, length: 0)) }
            self.range = nil
            return true
        default:
            return true
        }
    }

    /// The prefix and intervals that this end tag completes.
    func finished(_ name: String) -> (Int64, [ISBNRangeTable.Interval])? {
        guard Self.isPrefixElement(name), let prefix else { return nil }
        return (prefix, intervals)
    }
}
