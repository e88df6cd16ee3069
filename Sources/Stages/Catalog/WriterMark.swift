import CScan

/// Tells the few people who write from a hundred million entities of Wikidata, by the bytes of a line alone:
/// most lines are never read as JSON.
///
/// An item that bears an id of an author (Open Library P648, Goodreads P2963), or that has an occupation
/// (P106) and names one of those who write. What slips through by naming such an item elsewhere does no
/// harm: it is one person more (providers.md 4.4, 4.7).
enum WriterMark {
    private static let identifiers = ["\"P648\"", "\"P2963\""].map { Array($0.utf8) }
    private static let occupation = Array("\"P106\"".utf8)
    /// Writer, author, novelist, poet, journalist, children's writer, screenwriter, essayist, playwright.
    private static let occupations = [
        36_180, 482_980, 6_625_963, 49_757, 1_930_187, 4_853_732, 28_389, 11_774_202, 214_917,
    ].map { Array("\"Q\($0)\"".utf8) }

    /// Whether an entity's JSON bears the mark.
    static func isOn(_ json: UnsafeRawBufferPointer) -> Bool {
        if identifiers.contains(where: { holds(json, $0) }) { return true }
        return holds(json, occupation) && occupations.contains { holds(json, $0) }
    }

    private static func holds(_ json: UnsafeRawBufferPointer, _ bytes: [UInt8]) -> Bool {
        guard let base = json.baseAddress else { return false }
        return scan_holds(base, json.count, bytes, bytes.count) != 0
    }
}
