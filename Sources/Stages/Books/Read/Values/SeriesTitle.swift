import Bytes

/// A title as Goodreads writes it, taken apart: the title proper and the series in brackets at its end.
///
/// `Hyperion (Hyperion Cantos, #1)`, `Gideon the Ninth (The Locked Tomb #1)`, `Equal Rites (Discworld, #3;
/// Witches, #1)`. Only a bracket in which something is numbered with `#` is a series: `(Spanish Edition)`,
/// `(Paperback)`, `(Abridged)`, `(Blue Ant)` and `(Illuminatus 1)` cannot be told apart for certain, so all
/// of them stay in the title. A wrong series is worse than none, and the catalog knows the right one. A
/// member without a number is taken where another member of the same bracket has one. A bracket behind the
/// series stays in the title: `Tod (Reihe, #2) (German Edition)`.
package struct SeriesTitle: Equatable {
    /// The title before the series.
    package private(set) var title: Range<Int>
    /// What follows the series; nearly always empty.
    package private(set) var rest: Range<Int>
    /// The inside of the series' bracket; empty where there is none.
    private(set) var bracket: Range<Int>

    package init(_ bytes: UnsafeRawBufferPointer) {
        let whole = bytes.trimmedBlanks
        title = whole
        rest = whole.upperBound..<whole.upperBound
        bracket = rest
        var end = whole.upperBound
        while end > whole.lowerBound, bytes[end - 1] == UInt8(ascii: ")"),
            let open = Self.opening(of: end - 1, in: bytes, from: whole.lowerBound)
        {
            let inside = open + 1..<end - 1
            let before = bytes.trimmedBlanks(in: whole.lowerBound..<open)
            if Self.isSeries(bytes, inside) {
                bracket = inside
                let after = bytes.trimmedBlanks(in: end..<whole.upperBound)
                // A title that is nothing but its series stays as it is: a book without a title helps nobody.
                if !before.isEmpty || !after.isEmpty {
                    title = before
                    rest = after
                }
                return
            }
            end = before.upperBound
        }
    }

    /// The series the bracket names. Yields each with its number, which is empty where the source gave none.
    struct Mentions {
        private var left: Range<Int>

        init(of title: SeriesTitle) { left = title.bracket }

        mutating func next(in bytes: UnsafeRawBufferPointer) -> (name: Range<Int>, number: Range<Int>)? {
            while !left.isEmpty {
                let part = SeriesTitle.cutPart(from: &left, in: bytes)
                if let numbered = SeriesTitle.numbered(bytes, part) { return numbered }
                if !part.isEmpty { return (part, part.upperBound..<part.upperBound) }
            }
            return nil
        }
    }

    /// The bracket that the closing one at `close` belongs to.
    private static func opening(of close: Int, in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var depth = 0
        var at = close
        while at >= start {
            if bytes[at] == UInt8(ascii: ")") {
                depth += 1
            } else if bytes[at] == UInt8(ascii: "(") {
                depth -= 1
                if depth == 0 { return at }
            }
            at -= 1
        }
        return nil
    }

    /// Whether something in the bracket has a name and a number.
    private static func isSeries(_ bytes: UnsafeRawBufferPointer, _ inside: Range<Int>) -> Bool {
        var left = inside
        while !left.isEmpty {
            if numbered(bytes, cutPart(from: &left, in: bytes)) != nil { return true }
        }
        return false
    }

    /// Cuts off what stands before the next semicolon.
    private static func cutPart(from left: inout Range<Int>, in bytes: UnsafeRawBufferPointer) -> Range<Int> {
        let end = bytes[left].firstIndex(of: UInt8(ascii: ";")) ?? left.upperBound
        defer { left = min(end + 1, left.upperBound)..<left.upperBound }
        return bytes.trimmedBlanks(in: left.lowerBound..<end)
    }

    /// Takes `Discworld, #8` apart.
    private static func numbered(
        _ bytes: UnsafeRawBufferPointer, _ part: Range<Int>
    ) -> (name: Range<Int>, number: Range<Int>)? {
        for at in part where bytes[at] == UInt8(ascii: "#") {
            let number = bytes.trimmedBlanks(in: at + 1..<part.upperBound)
            guard SeriesNumber.isWritten(in: bytes, number) else { continue }
            var name = bytes.trimmedBlanks(in: part.lowerBound..<at)
            if !name.isEmpty, bytes[name.upperBound - 1] == UInt8(ascii: ",") {
                name = bytes.trimmedBlanks(in: name.lowerBound..<name.upperBound - 1)
            }
            return name.isEmpty ? nil : (name, number)
        }
        return nil
    }
}
