import Bytes
import Glibc

/// Tells the few people who write from a hundred million entities of Wikidata, by the bytes of a line alone:
/// most lines are never read as JSON.
///
/// An item that bears an id of an author (Open Library P648, Goodreads P2963), or that has an occupation
/// (P106) and names one of those who write. What slips through by naming such an item elsewhere does no
/// harm: it is one person more (providers.md 4.4, 4.7).
enum AuthorMarkers {
    private static let identifiers: Set<Int> = [648, 2_963]
    private static let occupation = 106
    /// Writer, author, novelist, poet, journalist, children's writer, screenwriter, essayist, playwright.
    private static let occupations: Set<Int> = [
        36_180, 482_980, 6_625_963, 49_757, 1_930_187, 4_853_732, 28_389, 11_774_202, 214_917,
    ]

    /// Whether an entity's JSON bears the mark.
    static func isOn(_ json: UnsafeRawBufferPointer) -> Bool {
        var hasOccupation = false
        let isIdentified = holds(json, UInt8(ascii: "P")) { number in
            if number == occupation { hasOccupation = true }
            return identifiers.contains(number)
        }
        if isIdentified { return true }
        return hasOccupation && holds(json, UInt8(ascii: "Q")) { occupations.contains($0) }
    }

    /// Whether the numbers of the ids in quotes that begin with a letter hold a wanted one.
    private static func holds(
        _ json: UnsafeRawBufferPointer, _ letter: UInt8, _ isWanted: (Int) -> Bool
    ) -> Bool {
        guard let base = json.baseAddress else { return false }
        var at = 1
        while at < json.count, let found = memchr(base + at, Int32(letter), json.count - at) {
            at = UnsafeRawPointer(found) - base + 1
            guard json[at - 2] == UInt8(ascii: "\"") else { continue }
            var number = 0
            while at < json.count, number < 100_000_000, json[at].isDigit {
                number = number * 10 + Int(json[at] - UInt8(ascii: "0"))
                at += 1
            }
            if at < json.count, json[at] == UInt8(ascii: "\""), isWanted(number) { return true }
        }
        return false
    }
}
