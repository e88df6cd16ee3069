import Bytes
import Syntax

/// `etl genres`: converts a line of genres to a JSON array of normalized genres.
package struct GenreLine {
    private let table: GenreTable
    private var normalizer: GenreNormalizer
    private var outcomes: [GenreNormalizer.Outcome] = []
    private var counts = GenreSelection()

    /// Normalizes with the built-in table and the user's rules.
    package init(rules: GenreRules = GenreRules()) {
        table = GenreTable.with(rules)
        normalizer = GenreNormalizer(table: table)
    }

    /// The normalized genres of a line, in order, without duplicates. The subjects of a line are those of one
    /// book.
    ///
    /// - Parameter line: One subject, several separated by `;`, or a JSON array of strings. A line that starts
    ///   like an array but is not valid JSON is treated as subjects. UTF-8, without line end.
    package mutating func genres(of line: [UInt8]) -> [String] {
        genres(of: Self.elements(line) ?? line.split(separator: UInt8(ascii: ";")).map(Array.init))
    }

    /// The normalized genres of one book's subjects, in order, without duplicates.
    ///
    /// - Parameter limit: Maximum number of genres, at least 1.
    package mutating func genres(of subjects: [[UInt8]], limit: Int = .max) -> [String] {
        counts.removeAll()
        var arena = Arena()
        for subject in subjects {
            outcomes.removeAll(keepingCapacity: true)
            subject.withUnsafeBytes { normalizer.normalize($0, into: &outcomes) }
            for outcome in outcomes {
                let part = subject[Int(outcome.start)..<Int(outcome.start + outcome.length)]
                let shown = part.withUnsafeBytes { GenreForm.shown($0) } ?? Array(part)
                let text = outcome.genre == nil ? arena.append(shown) : .none
                counts.add(outcome, text, from: .row, by: .normalized, of: table)
            }
        }
        counts.settle(table, limit: limit)
        return counts.found.map { found in
            found.identity.genre.map { String(decoding: table.names[Int($0)], as: UTF8.self) }
                ?? arena[found.text]
        }
    }

    /// The genres that a subject hints at but does not name; nil if it names a genre, or is noise such as
    /// `Accessible book`.
    ///
    /// - Parameter isShelf: Whether it is a user's shelf.
    package mutating func hintsOfUnmapped(_ subject: UnsafeRawBufferPointer, isShelf: Bool) -> [String]? {
        outcomes.removeAll(keepingCapacity: true)
        if isShelf {
            normalizer.normalize(shelf: subject, into: &outcomes)
        } else {
            normalizer.normalize(subject, into: &outcomes)
        }
        guard !outcomes.isEmpty, !outcomes.contains(where: { $0.sign == .genre }) else { return nil }
        let hints = outcomes.compactMap {
            $0.genre.map { String(decoding: table.names[Int($0)], as: UTF8.self) }
        }
        return Set(hints).sorted()
    }

    /// The same as a compact JSON array, UTF-8.
    package mutating func json(of line: [UInt8]) -> [UInt8] {
        let genres = genres(of: line)
        var out = JSONWriter()
        out.array { out in for genre in genres { out.string(genre) } }
        return out.bytes
    }

    /// The strings of a line that is a JSON array; nil if it is not.
    private static func elements(_ line: [UInt8]) -> [[UInt8]]? {
        guard line.first(where: { $0 > 0x20 }) == UInt8(ascii: "[") else { return nil }
        do throws(JSONReadError) {
            return try JSONReader.read(line) { reader throws(JSONReadError) in
                var elements: [[UInt8]] = []
                try reader.forEachElement { reader throws(JSONReadError) in
                    if let string = try reader.stringIfAny() { elements.append(string.bytes) }
                }
                try reader.finish()
                return elements
            }
        } catch {
            return nil
        }
    }
}
