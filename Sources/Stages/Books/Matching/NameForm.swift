import Bytes

/// A person's name taken apart for comparison: given names, family name, and what tells father from son.
struct NameForm {
    /// All words in reading order, folded, honorifics and particles left out; each initial is a word.
    let words: [String]
    /// `fils`, `jr`: father and son write under one name.
    let generation: String?

    var given: ArraySlice<String> { words.dropLast() }
    var family: String { words.last ?? "" }

    private static let honorifics: Set<String> = [
        "sir", "dame", "dr", "prof", "professor", "baron", "lord", "lady", "rev", "mrs", "mr",
        "phd",
        "md", "esq",
    ]
    private static let particles: Set<String> = [
        "de", "von", "van", "der", "den", "del", "della", "di", "da", "du", "dos", "of", "y", "e", "zu",
        "ter",
    ]
    private static let generations: Set<String> = ["jr", "sr", "pere", "fils", "ii", "iii"]

    init(_ name: String) {
        var name = name
        let folded = name.withUTF8 { PersonKey.fold(UnsafeRawBufferPointer($0)) }
        var words = String(decoding: folded, as: UTF8.self).split(separator: " ").map(String.init)
        generation = words.count > 1 ? words.first { Self.generations.contains($0) } : nil
        if words.count > 1 { words.removeAll { Self.generations.contains($0) } }
        if words.count > 2 {
            let kept = words.filter { !Self.honorifics.contains($0) && !Self.particles.contains($0) }
            if kept.count > 1 { words = kept }
        }
        let initials = Self.initials(of: name)
        self.words = words.flatMap { initials.contains($0) ? $0.map(String.init) : [$0] }
    }

    /// Letters that stand alone in a name, those beside each other as one word: how a folded name has them. `E. D.` is
    /// two names begun, `Ed` is one.
    private static func initials(of name: String) -> Set<String> {
        var runs: Set<String> = []
        var run = ""
        for word in Folding.fold(name).split(separator: " ") {
            if word.utf8.count == 1 {
                run += word
            } else if !run.isEmpty {
                runs.insert(run)
                run = ""
            }
        }
        if !run.isEmpty { runs.insert(run) }
        return runs
    }
}
