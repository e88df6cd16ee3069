import Syntax

/// `etl genres`: converts a line of genres to a JSON array of normalized genres.
public struct GenreLine {
    private var normalizer = GenreNormalizer()
    private var outcomes: [GenreNormalizer.Outcome] = []

    /// Normalizes with the built-in table.
    public init() {}

    /// The normalized genres of a line, in order, without duplicates.
    ///
    /// - Parameter line: One genre, several separated by `;`, or a JSON array of strings. A line that starts
    ///   like an array but is not valid JSON is treated as genres. UTF-8, without line end.
    public mutating func genres(of line: [UInt8]) -> [String] {
        var genres: [String] = []
        var seen: Set<GenreNormalizer.Outcome.Identity> = []
        for subject in Self.elements(line) ?? line.split(separator: UInt8(ascii: ";")).map(Array.init) {
            outcomes.removeAll(keepingCapacity: true)
            subject.withUnsafeBytes { normalizer.normalize($0, into: &outcomes) }
            for outcome in outcomes {
                let start = Int(outcome.start)
                let spelling =
                    outcome.genre.map { normalizer.table.names[Int($0)] }
                    ?? Array(subject[start..<start + Int(outcome.length)])
                if seen.insert(outcome.identity).inserted {
                    genres.append(String(decoding: spelling, as: UTF8.self))
                }
            }
        }
        return genres
    }

    /// The same as a compact JSON array, UTF-8.
    public mutating func json(of line: [UInt8]) -> [UInt8] {
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
