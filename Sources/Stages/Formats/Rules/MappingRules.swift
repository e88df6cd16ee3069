import Books
import Bytes
package import Pipeline
package import System

/// A file of rules that say what the user's shelves, ratings and names of authors mean. They are applied to each
/// row after its format has interpreted it (``LibraryRows/apply(_:to:noting:)``).
///
/// ```yaml
/// shelves:                                    # SHELF, or several separated by commas
///   tbr-2024: {status: to-read}               # a reading status instead of a shelf
///   "sci-fi, scifi": {tag: science fiction}   # another name; a list of names is possible
///   abandoned 2020: {status: did-not-finish, tag: abandoned}
///   junk: drop
/// ratings:
///   scale: 10                                 # the rating that equals five stars
///   formats: [generic]                        # where it applies; default: tables of no known program
///   words: {loved it: 5, meh: 2, unrated: none}
/// authors:                                    # SPELLING: name
///   "Tolkien, J R R": J. R. R. Tolkien
/// ```
///
/// A rule's result has no other rule, so applying rules twice is the same as once.
package struct MappingRules: Sendable, Hashable {
    /// Meaning of a shelf.
    struct Shelf: Sendable, Hashable {
        /// The reading status of its books; nil if it says none.
        var status: ReadingStatus?
        /// The tags instead of it; empty to drop it.
        var tags: [String]
    }

    /// A rule for a shelf.
    struct ShelfRule: Sendable, Hashable {
        var meaning: Shelf
        /// Its place among the rules for shelves. Of several statuses, the one of the first rule counts.
        var number: Int
        var origin: ValueOrigin
    }

    /// A rule for a rating in words.
    struct RatingRule: Sendable, Hashable {
        /// Stars, 0.25–5; nil for no rating.
        var stars: Double?
        var origin: ValueOrigin
    }

    /// A rule for an author.
    struct AuthorRule: Sendable, Hashable {
        var name: String
        var origin: ValueOrigin
    }

    /// By ``shelfKey(_:)``.
    private(set) var shelves: [String: ShelfRule] = [:]
    /// The rating that equals five stars.
    private(set) var scale: (best: Double, origin: ValueOrigin)?
    /// The formats to which ``scale`` applies; nil for those of no known program.
    private(set) var formats: Set<String>?
    /// By ``shelfKey(_:)`` of the words.
    private(set) var ratings: [String: RatingRule] = [:]
    /// By the names in the form of ``PersonKey``.
    private(set) var authors: [[UInt8]: AuthorRule] = [:]
    /// The file's name and text, which a job and a library keep.
    package let file: DefinitionSource.File

    /// Number of rules; each of several shelves in one line counts.
    package var count: Int { shelves.count + ratings.count + authors.count + (scale == nil ? 0 : 1) }

    package static func == (a: MappingRules, b: MappingRules) -> Bool { a.file == b.file }

    package func hash(into hasher: inout Hasher) { hasher.combine(file) }

    /// The form in which shelves and words are compared: lower case, with single blanks for blanks, hyphens and
    /// underscores.
    static func shelfKey(_ name: some StringProtocol) -> String {
        name.lowercased().split { $0.isWhitespace || $0 == "-" || $0 == "_" }.joined(separator: " ")
    }

    /// Whether the scale of ratings applies to files of a format.
    func scales(_ formatName: String) -> Bool {
        formats?.contains(formatName) ?? !Self.programs.contains(formatName)
    }

    /// The formats of programs, whose scale is known.
    static let programs = Set(LibraryFormats.all.map(\.name)).subtracting([Generic().name])

    // MARK: Reading

    /// Maximum length of a name, in bytes.
    static let longest = 512
    private static let keys = ["shelves", "ratings", "authors"]

    /// Reads a file of rules.
    ///
    /// - Throws: `missing` if the file cannot be read; `configuration` with all problems in it, each with line and
    ///   column.
    package init(file path: String) throws(ETLError) {
        do throws(DefinitionError) {
            try self.init(try DefinitionFile.load(path), named: path)
        } catch {
            throw error.failure
        }
    }

    /// Reads the rules that a job or a library has kept.
    ///
    /// - Throws: `configuration` with all problems.
    package init(_ file: DefinitionSource.File) throws(ETLError) {
        do throws(DefinitionError) {
            try self.init(Array(file.text.utf8), named: file.name)
        } catch {
            throw error.failure
        }
    }

    /// Reads the bytes of a file of rules.
    ///
    /// - Parameter name: Its name in errors.
    package init(_ bytes: [UInt8], named name: String) throws(DefinitionError) {
        file = DefinitionSource.File(name: name, text: String(decoding: bytes, as: UTF8.self))
        let nothing = DefinitionNode(.mapping([]), at: .file(name, line: 1, column: 1))
        let content = try YAMLReader.read(bytes, named: name) ?? nothing
        var reader = MappingReader(content.isAbsent ? nothing : content, "a file of rules", keys: Self.keys)
        reader.refuseUnknownKeys()
        var problems: [DefinitionProblem] = []
        for entry in Self.entries("shelves", reader.node("shelves"), "SHELF: {tag: NAME}", &problems) {
            readShelf(entry, &problems)
        }
        if let node = reader.node("ratings") { readRatings(node, &problems) }
        for entry in Self.entries("authors", reader.node("authors"), "SPELLING: NAME", &problems) {
            readAuthor(entry, &problems)
        }
        problems += reader.problems
        checkResults(&problems)
        guard problems.isEmpty else { throw DefinitionError(problems) }
    }

    /// The entries of a mapping.
    private static func entries(
        _ key: String, _ node: DefinitionNode?, _ example: String, _ problems: inout [DefinitionProblem]
    ) -> [DefinitionNode.Entry] {
        guard let node else { return [] }
        guard let entries = node.entries else {
            problems.append(
                DefinitionProblem(
                    .wrongValue, at: node.origin, "`\(key)` must be a mapping, not \(node.words).",
                    advice: "Write `\(example)` lines."))
            return []
        }
        return entries
    }

    private mutating func readShelf(_ entry: DefinitionNode.Entry, _ problems: inout [DefinitionProblem]) {
        guard let meaning = Self.meaning(of: entry, &problems) else { return }
        for name in entry.key.split(separator: ",", omittingEmptySubsequences: false) {
            let key = Self.shelfKey(name)
            guard !key.isEmpty, name.utf8.count <= Self.longest else {
                problems.append(
                    DefinitionProblem(
                        .wrongValue, at: entry.origin,
                        "\(DefinitionNode.quoted(entry.key)) is not a list of shelves.",
                        advice: "Write names of at most \(Self.longest) bytes, separated by commas."))
                continue
            }
            if let known = shelves[key], known.meaning != meaning {
                problems.append(Self.repeated(key, at: entry.origin))
            } else if shelves[key] == nil {
                shelves[key] = ShelfRule(meaning: meaning, number: shelves.count, origin: entry.origin)
            }
        }
    }

    private static func repeated(_ name: String, at origin: ValueOrigin) -> DefinitionProblem {
        DefinitionProblem(
            .duplicateName, at: origin, "\(DefinitionNode.quoted(name)) has two rules.",
            advice: "Keep one. Case, blanks and hyphens make no difference.")
    }

    private static func meaning(
        of entry: DefinitionNode.Entry, _ problems: inout [DefinitionProblem]
    ) -> Shelf? {
        if entry.value.text == "drop" { return Shelf(status: nil, tags: []) }
        guard entry.value.entries != nil else {
            problems.append(
                DefinitionProblem(
                    .wrongValue, at: entry.value.origin,
                    "The rule for \(DefinitionNode.quoted(entry.key)) must be a mapping or `drop`, not \(entry.value.words).",
                    advice: "Write `{status: STATUS}`, `{tag: NAME}` or `drop`."))
            return nil
        }
        let before = problems.count
        var reader = MappingReader(entry.value, "the rule of a shelf", keys: ["status", "tag"])
        reader.refuseUnknownKeys()
        var shelf = Shelf(status: nil, tags: [])
        if let (text, origin) = reader.text("status") {
            shelf.status = ReadingStatus(rawValue: text)
            let names = ReadingStatus.allCases.map(\.rawValue)
            if shelf.status == nil {
                problems.append(
                    DefinitionProblem(
                        .wrongValue, at: origin, "\(DefinitionNode.quoted(text)) is not a reading status.",
                        advice: Spelling.advice(for: text, among: names, called: "Statuses")))
            }
        }
        if let node = reader.node("tag") {
            let items: [DefinitionNode] =
                if case .sequence(let items) = node.content { items } else { [node] }
            shelf.tags = items.compactMap { tag(in: $0, &problems) }
        }
        problems += reader.problems
        if problems.count == before, shelf.status == nil, shelf.tags.isEmpty {
            problems.append(
                DefinitionProblem(
                    .missingKey, at: entry.value.origin,
                    "The rule for \(DefinitionNode.quoted(entry.key)) says nothing.",
                    advice: "Write `drop` to leave the shelf out."))
        }
        return problems.count == before ? shelf : nil
    }

    private static func tag(in node: DefinitionNode, _ problems: inout [DefinitionProblem]) -> String? {
        let text = node.text?.split { $0.isWhitespace }.joined(separator: " ") ?? ""
        guard !shelfKey(text).isEmpty, text.utf8.count <= longest,
            !text.contains(where: { ",;|".contains($0) })
        else {
            problems.append(
                DefinitionProblem(
                    .wrongValue, at: node.origin, "A tag must be a name, not \(node.words).",
                    advice: "Use at most \(longest) bytes without `,`, `;` and `|`."))
            return nil
        }
        return text
    }

    private mutating func readRatings(_ node: DefinitionNode, _ problems: inout [DefinitionProblem]) {
        var reader = MappingReader(node, "`ratings`", keys: ["scale", "formats", "words"])
        reader.refuseUnknownKeys()
        if let (text, origin) = reader.text("scale") {
            if let best = Self.number(text), (1...1_000).contains(best) {
                scale = (best, origin)
            } else {
                problems.append(
                    DefinitionProblem(
                        .outOfBounds, at: origin,
                        "`scale` must be a number from 1 to 1000, not \(DefinitionNode.quoted(text)).",
                        advice: "Write the rating that equals five stars."))
            }
        }
        if reader.node("formats") != nil {
            let known = LibraryFormats.all.map(\.name)
            var names: Set<String> = []
            for item in reader.items("formats") {
                if let text = item.text, known.contains(text) {
                    names.insert(text)
                    continue
                }
                let near = item.text.flatMap { Spelling.nearest(to: $0, among: known) }
                problems.append(
                    DefinitionProblem(
                        .wrongValue, at: item.origin,
                        "A format must be one that can be read, not \(item.words).",
                        advice: near.map { "Did you mean `\($0)`?" }
                            ?? "Write the name of a format, such as goodreads."))
            }
            formats = names
        }
        for entry in Self.entries("words", reader.node("words"), "WORDS: STARS", &problems) {
            let (key, text) = (Self.shelfKey(entry.key), entry.value.text)
            let stars = text.flatMap(Self.number)
            let isNone = text == "none"
            guard !key.isEmpty, isNone || stars.map({ (0.25...StarRating.most).contains($0) }) == true else {
                problems.append(
                    DefinitionProblem(
                        .wrongValue, at: entry.value.origin,
                        "\(DefinitionNode.quoted(entry.key)) must be a number of stars, not \(entry.value.words).",
                        advice: "Write a number from 0.25 to 5, or `none` for no rating."))
                continue
            }
            let rule = RatingRule(stars: stars.map { ($0 * 4).rounded() / 4 }, origin: entry.origin)
            if let known = ratings.updateValue(rule, forKey: key), known.stars != rule.stars {
                problems.append(Self.repeated(entry.key, at: entry.origin))
            }
        }
        problems += reader.problems
    }

    private static func number(_ text: String) -> Double? {
        var text = text
        return text.withUTF8 { StarRating.number(UnsafeRawBufferPointer($0)) }
    }

    private mutating func readAuthor(_ entry: DefinitionNode.Entry, _ problems: inout [DefinitionProblem]) {
        let key = Self.authorKey(entry.key)
        let name = entry.value.text?.split { $0.isWhitespace }.joined(separator: " ") ?? ""
        guard !key.isEmpty, entry.key.utf8.count <= Self.longest else {
            problems.append(
                DefinitionProblem(
                    .wrongValue, at: entry.origin, "\(DefinitionNode.quoted(entry.key)) is not a name.",
                    advice: "Use letters, at most \(Self.longest) bytes."))
            return
        }
        guard !Self.authorKey(name).isEmpty, name.utf8.count <= Self.longest else {
            problems.append(
                DefinitionProblem(
                    .wrongValue, at: entry.value.origin,
                    "An author must be a name, not \(entry.value.words).",
                    advice: "Use letters, at most \(Self.longest) bytes."))
            return
        }
        let rule = AuthorRule(name: name, origin: entry.origin)
        if let known = authors.updateValue(rule, forKey: key), known.name != name {
            problems.append(Self.repeated(entry.key, at: entry.origin))
        }
    }

    /// The name that an author's name becomes.
    package func name(of author: String) -> String { authors[Self.authorKey(author)]?.name ?? author }

    static func authorKey(_ name: String) -> [UInt8] {
        var name = name
        return name.withUTF8 { PersonKey.fold(UnsafeRawBufferPointer($0)) }
    }

    /// Refuses rules whose results other rules would change.
    private func checkResults(_ problems: inout [DefinitionProblem]) {
        for rule in shelves.values.sorted(by: { $0.number < $1.number }) {
            for tag in rule.meaning.tags {
                guard let next = shelves[Self.shelfKey(tag)], next.meaning != rule.meaning else { continue }
                problems.append(Self.chained(tag, at: rule.origin, next.origin))
            }
            guard let status = rule.meaning.status, let next = shelves[Self.shelfKey(status.rawValue)],
                next.meaning.status != status || !Set(next.meaning.tags).isSubset(of: rule.meaning.tags)
            else { continue }
            problems.append(Self.chained(status.rawValue, at: rule.origin, next.origin))
        }
        for rule in authors.values.sorted(by: { "\($0.origin)" < "\($1.origin)" }) {
            guard let next = authors[Self.authorKey(rule.name)], next.name != rule.name else { continue }
            problems.append(Self.chained(rule.name, at: rule.origin, next.origin))
        }
    }

    private static func chained(
        _ result: String, at origin: ValueOrigin, _ next: ValueOrigin
    ) -> DefinitionProblem {
        DefinitionProblem(
            .duplicateName, at: origin,
            "The result \(DefinitionNode.quoted(result)) has its own rule (\(next)).",
            advice: "Write the final value in both rules.")
    }
}
