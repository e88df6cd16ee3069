/// Which of the books a service offers for a title and an author is the one meant: one whose title and one of whose
/// authors are the same when folded, or none (``BookProvider``, rule 4).
enum TitleMatch {
    /// Whether a work was found, by its key.
    struct Verdict: Equatable {
        var outcome: LookUpOutcome
        var key: String?
    }

    /// What was asked for, as a key's text spells it: folded title, tab, folded author.
    struct Asked {
        let title: String
        let author: String

        init(_ text: String) {
            let parts = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            title = parts.first ?? ""
            author = parts.count > 1 ? parts[1] : ""
        }

        /// Whether a title, with or without its subtitle, and one of the authors agree.
        func agrees(title: String, subtitle: String, authors: [String]) -> Bool {
            guard !self.title.isEmpty, !author.isEmpty else { return false }
            let beforeColon = title.prefix { $0 != ":" }
            let titles = [title, "\(title) \(subtitle)", String(beforeColon)]
            return titles.contains { Folding.fold($0) == self.title }
                && authors.contains { Folding.fold($0) == author }
        }
    }

    /// The work that a search of Open Library leads to: of those that agree the one with more editions; equal standing
    /// is no answer.
    static func bestOpenLibraryWork(in body: [UInt8], asked text: String) -> Verdict {
        let asked = Asked(text)
        var best: (key: String, editions: Int64)?
        var isTied = false
        do throws(JSONReadError) {
            let docs = try JSONSlices.members(of: body)["docs"] ?? []
            for json in try JSONSlices.elements(of: docs) {
                let doc = try OpenLibraryDoc(json)
                guard let key = OpenLibraryKey(doc.key), key.kind == .work,
                    asked.agrees(title: doc.title, subtitle: doc.subtitle, authors: doc.authors)
                else { continue }
                if let known = best, known.key != key.name, known.editions == doc.editions { isTied = true }
                if doc.editions > best?.editions ?? -1 {
                    best = (key.name, doc.editions)
                    isTied = false
                }
            }
        } catch {
            return Verdict(outcome: .malformed)
        }
        guard let best else { return Verdict(outcome: .notFound) }
        return isTied ? Verdict(outcome: .ambiguous) : Verdict(outcome: .found, key: best.key)
    }
}

/// A row of Open Library's search: a work.
private struct OpenLibraryDoc {
    var key = ""
    var title = ""
    var subtitle = ""
    var authors: [String] = []
    var editions: Int64 = 0

    init(_ json: [UInt8]) throws(JSONReadError) {
        var doc = (key: "", title: "", subtitle: "", authors: [String](), editions: Int64(0))
        try JSONReader.read(json) { reader throws(JSONReadError) in
            try reader.forEachKey { name, reader throws(JSONReadError) in
                switch name {
                case "key": doc.key = try reader.stringIfAny()?.string ?? ""
                case "title": doc.title = try reader.stringIfAny()?.string ?? ""
                case "subtitle": doc.subtitle = try reader.stringIfAny()?.string ?? ""
                case "author_name", "author_alternative_name":
                    try reader.forEachString { author throws(JSONReadError) in
                        doc.authors.append(author.string)
                    }
                case "edition_count": doc.editions = try reader.wholeNumber() ?? 0
                default: break
                }
            }
        }
        (key, title, subtitle, authors, editions) = doc
    }
}
