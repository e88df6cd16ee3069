import Bytes

/// English singular forms of a key's last word, looked up one after the other.
///
/// A form is only looked up, never shown. A wrong one is harmless unless it is itself a genre, so words that
/// must keep their s are listed below (`politics`, `news`, `mathematics`).
enum SingularForm {
    /// The result of the first form for which `lookUp` has one.
    static func first<Result>(
        of key: UnsafeRawBufferPointer, scratch: inout [UInt8], _ lookUp: (UnsafeRawBufferPointer) -> Result?
    ) -> Result? {
        let wordStart = (key.lastIndex { $0 == 0x20 || $0 == UInt8(ascii: "/") } ?? -1) + 1
        let word = UnsafeRawBufferPointer(rebasing: key[wordStart...])
        guard word.count > 2 else { return nil }
        for (plural, singular) in irregular where plural == word {
            return attempt(key, cutting: word.count, adding: singular, &scratch, lookUp)
        }
        guard word[word.count - 1] == UInt8(ascii: "s"), !keepsItsS(word) else { return nil }
        for (ending, replacements) in endings where word.ends(with: ending) {
            for replacement in replacements {
                let cut = ending.utf8CodeUnitCount
                if let found = attempt(key, cutting: cut, adding: replacement, &scratch, lookUp) {
                    return found
                }
            }
            return nil
        }
        return attempt(key, cutting: 1, adding: "", &scratch, lookUp)
    }

    /// Whether a word ending in s has no singular form.
    static func keepsItsS(_ word: UnsafeRawBufferPointer) -> Bool {
        word.ends(with: "ss") || word.ends(with: "us") || word.ends(with: "is")
            || word.ends(with: "ics")
                && !word.ends(with: "comics")
            || invariable.contains { $0 == word }
    }

    /// Plural endings with their possible replacements, the likelier first.
    private static let endings: [(StaticString, [StaticString])] = [
        ("ies", ["y", "ie"]), ("ves", ["f", "fe", "ve"]), ("oes", ["o", "oe"]),
        ("ses", ["s", "se"]), ("xes", ["x", "xe"]), ("zes", ["z", "ze"]), ("ches", ["ch", "che"]),
        ("shes", ["sh"]),
    ]

    private static let irregular: [(StaticString, StaticString)] = [
        ("children", "child"), ("women", "woman"), ("men", "man"), ("people", "person"), ("mice", "mouse"),
        ("geese", "goose"), ("fungi", "fungus"), ("phenomena", "phenomenon"), ("theses", "thesis"),
    ]

    /// Words that end in s in the singular, or that have another meaning without it.
    private static let invariable: [StaticString] = [
        "classics", "news", "series", "species", "humanities", "arts", "letters", "texas", "moses", "jesus",
        "dickens", "los angeles", "paris", "wales", "philippines", "united states", "states", "aids", "gas",
        "lens",
        "ios", "dos", "blues", "christmas", "erotica", "witness",
    ]

    private static func attempt<Result>(
        _ key: UnsafeRawBufferPointer, cutting cut: Int, adding ending: StaticString,
        _ scratch: inout [UInt8],
        _ lookUp: (UnsafeRawBufferPointer) -> Result?
    ) -> Result? {
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: key.dropLast(cut))
        ending.withUTF8Buffer { scratch.append(contentsOf: $0) }
        return scratch.withUnsafeBytes(lookUp)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes end with those of a literal.
    @inline(__always)
    func ends(with ending: StaticString) -> Bool {
        ending.withUTF8Buffer { $0.count <= count && $0.elementsEqual(suffix($0.count)) }
    }
}
