import Books

/// A file of rules proposed for what a ``RuleCounts`` has counted, in the syntax of ``MappingRules``. Rules that are not
/// certain are comments.
package struct RuleProposal: Sendable {
    /// A rule and the reason for it.
    struct Line: Sendable, Hashable {
        /// The rule as YAML, without indentation.
        var rule: String
        /// Why it is proposed, in one or two sentences.
        var reason: String
        var isCertain: Bool
        /// Books that it concerns.
        var books: Int
    }

    /// Maximum number of rules in a section. The most frequent are proposed.
    static let most = 400
    /// Maximum number of bytes of a rule. A key of YAML on one line has at most 1,024 characters.
    private static let longestRule = 1_000

    private(set) var shelves: [Line] = []
    private(set) var ratings: [Line] = []
    private(set) var words: [Line] = []
    private(set) var authors: [Line] = []

    /// - Parameters:
    ///   - ruleCounts: What was counted.
    ///   - known: Rules that there are already; nothing is proposed for what they say.
    package init(_ ruleCounts: RuleCounts, besides known: MappingRules? = nil) {
        proposeShelves(ruleCounts, known)
        proposeRatings(ruleCounts, known)
        proposeAuthors(ruleCounts, known)
    }

    /// The number of rules that are not comments, and of those that are.
    package var counts: (certain: Int, uncertain: Int) {
        let all = shelves + ratings + words + authors
        let certain = all.count { $0.isCertain }
        return (certain, all.count - certain)
    }

    /// The file, without a comment at its head.
    package var text: String {
        var text = ""
        Self.write("shelves:", shelves, "  ", to: &text)
        Self.write("ratings:", ratings, "  ", to: &text, isOpen: !words.isEmpty)
        if !words.isEmpty { Self.write("  #words:", words, "    ", to: &text) }
        Self.write("authors:", authors, "  ", to: &text)
        return text
    }

    private static func write(
        _ key: String, _ lines: [Line], _ indent: String, to text: inout String, isOpen: Bool = false
    ) {
        guard !lines.isEmpty || isOpen else { return }
        text += "\(key)\n"
        for line in lines {
            text += "\(indent)# \(comment(line.reason))\n\(indent)\(line.isCertain ? "" : "#")\(line.rule)\n"
        }
    }

    private static func sorted(_ lines: [Line]) -> [Line] {
        Array(
            lines.filter { $0.rule.utf8.count <= longestRule }
                .sorted { ($1.books, $0.rule) < ($0.books, $1.rule) }.prefix(most))
    }

    private static func counted(_ count: Int) -> String { count == 1 ? "1 book" : "\(count) books" }

    // MARK: Shelves

    private mutating func proposeShelves(_ ruleCounts: RuleCounts, _ known: MappingRules?) {
        var lines: [Line] = []
        var others: [String: RuleCounts.Shelf] = [:]
        for (key, shelf) in ruleCounts.shelves
        where known?.shelves[key] == nil
            && shelf.spellings.keys.allSatisfy({ Self.canBeWritten($0, commas: false) })
        {
            if let line = Self.status(key, shelf) {
                lines.append(line)
            } else if !Self.isStandard(key) {
                others[key] = shelf
            }
        }
        lines += Self.spellings(others)
        shelves = Self.sorted(lines)
    }

    /// Whether a shelf is one that every user has.
    private static func isStandard(_ key: String) -> Bool {
        [ReadingStatus.read, .reading, .toRead].contains { MappingRules.shelfKey($0.rawValue) == key }
    }

    /// Words that also mean something else, or that are on books of any status.
    private static let ambiguous: Set = [
        "stopped", "pause", "dejado", "espera", "em espera", "en espera", "suspenso", "sospeso", "unfinished",
        "in attesa", "interrotto",
    ]

    /// Shelves for books that the user owns, which says nothing about reading.
    private static let owned: Set = [
        "owned", "own", "i own", "owned books", "books i own", "my books", "besitze ich", "im besitz",
        "possede",
        "en propiedad", "in bezit",
    ]

    /// The rule for a shelf that says a reading status or that the book is owned; nil if it says neither.
    private static func status(_ key: String, _ shelf: RuleCounts.Shelf) -> Line? {
        let head = counted(shelf.books)
        guard let (status, isExact) = status(saidBy: key) else {
            if owned.contains(key) {
                return shelf.name == "owned"
                    ? nil
                    : Line(
                        rule: "\(quoted(shelf.name)): {tag: owned}",
                        reason: "\(head). It says that you own a book, not whether you have read it.",
                        isCertain: false, books: shelf.books)
            }
            guard shelf.asStatus > 0 else { return nil }
            return Line(
                rule: "\(quoted(shelf.name)): {tag: \(quoted(shelf.name))}",
                reason: "\(head). The file has it as a reading status, but it says none; a tag fits better.",
                isCertain: false, books: shelf.books)
        }
        if shelf.asStatus > 0, isExact {
            return Line(
                rule: "\(quoted(shelf.name)): {status: \(status.rawValue)}",
                reason: "\(head). It is the reading status in other words.", isCertain: true,
                books: shelf.books)
        }
        guard !isStandard(key) else { return nil }
        let contradicting = shelf.statuses.filter { $0.key != status }
        guard !contradicting.isEmpty || shelf.withoutStatus > 0 else { return nil }
        let says = contradicting.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { "\($0.value) of them are `\($0.key.rawValue)`" }
        let isOfUnread = contradicting.keys.contains { $0 == .toRead || $0 == .reading }
        let isInterruption = status == .notFinished || status == .paused
        let isCertain =
            isExact && !ambiguous.contains(key)
            && (isInterruption ? !isOfUnread : contradicting.isEmpty && key.utf8.count > 3)
        let rest = says.isEmpty ? "" : " Now \(says.joined(separator: ", "))."
        return Line(
            rule: isExact
                ? "\(quoted(shelf.name)): {status: \(status.rawValue)}"
                : "\(quoted(shelf.name)): {status: \(status.rawValue), tag: \(quoted(shelf.name))}",
            reason: "\(head). The name says a reading status.\(rest)", isCertain: isCertain,
            books: shelf.books)
    }

    /// The status that a shelf's name says, also with a year: `tbr-2024`.
    private static func status(saidBy key: String) -> (ReadingStatus, isExact: Bool)? {
        if let status = ReadingStatus(key) { return (status, true) }
        let words = key.split(separator: " ")
        let bare = words.filter { word in !word.allSatisfy { $0.isASCII && $0.isNumber } }
        guard bare.count < words.count else { return nil }
        return ReadingStatus(bare.joined(separator: " ")).map { ($0, false) }
    }

    /// Rules for shelves that differ only in case, blanks, hyphens, or a plural.
    private static func spellings(_ shelves: [String: RuleCounts.Shelf]) -> [Line] {
        // Without blanks, then also without the plural.
        var compact: [String: [String]] = [:]
        for key in shelves.keys { compact[key.filter { $0 != " " }, default: []].append(key) }
        var stems: [String: [String]] = [:]
        for joined in compact.keys {
            let isPlural = joined.count > 3 && joined.hasSuffix("s") && !joined.hasSuffix("ss")
            stems[isPlural ? String(joined.dropLast()) : joined, default: []].append(joined)
        }
        var lines: [Line] = []
        for group in stems.values {
            func books(_ joined: String) -> Int {
                (compact[joined] ?? []).reduce(0) { $0 + (shelves[$1]?.books ?? 0) }
            }
            let ordered = group.sorted { (books($1), $0) < (books($0), $1) }
            guard let first = ordered.first else { continue }
            var spellings: [String: Int] = [:]
            for key in compact[first] ?? [] {
                spellings.merge(shelves[key]?.spellings ?? [:]) { $0 + $1 }
            }
            let name = RuleCounts.mostFrequent(spellings)
            if spellings.count > 1 {
                lines.append(
                    line(compact[first] ?? [], shelves, as: name, "differ in case, blanks or hyphens", true))
            }
            for other in ordered.dropFirst() {
                lines.append(
                    line(compact[other] ?? [], shelves, as: name, "may be a plural of one word", false))
            }
        }
        return lines
    }

    private static func line(
        _ keys: [String], _ shelves: [String: RuleCounts.Shelf], as name: String, _ why: String,
        _ isCertain: Bool
    ) -> Line {
        let found = keys.compactMap { shelves[$0] }.sorted { ($1.books, $0.name) < ($0.books, $1.name) }
        let all = found.reduce(into: [String: Int]()) { $0.merge($1.spellings) { $0 + $1 } }
        let listed = all.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(6)
            .map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
        let books = found.reduce(0) { $0 + $1.books }
        let ending = isCertain ? "They \(why)." : "With `\(name)` it \(why)."
        return Line(
            rule: "\(quoted(found.map(\.name).joined(separator: ", "))): {tag: \(quoted(name))}",
            reason: "\(counted(books)): \(listed). \(ending)", isCertain: isCertain, books: books)
    }

    // MARK: Ratings

    private mutating func proposeRatings(_ ruleCounts: RuleCounts, _ known: MappingRules?) {
        var unknown = RuleCounts.Ratings()
        for (name, counts) in ruleCounts.ratings where !MappingRules.programs.contains(name) {
            unknown.rated += counts.rated
            unknown.above += counts.above
            unknown.highest = max(unknown.highest, counts.highest)
            unknown.words.merge(counts.words) { $0 + $1 }
        }
        if known?.scale == nil { ratings = Self.scales(unknown, ruleCounts) }
        words = Self.sorted(
            unknown.words.filter { known?.ratings[MappingRules.shelfKey($0.key)] == nil }
                .filter { Self.canBeWritten($0.key, commas: true) && $0.key.utf8.count <= 40 }.map {
                    word, count in
                    Line(
                        rule: "\(Self.quoted(word)): STARS",
                        reason: "\(Self.counted(count)). Write stars from 0.25 to 5, or none.",
                        isCertain: false, books: count)
                })
        words = Array(words.prefix(20))
    }

    /// The rule for ratings above five stars. The scale of a known program is a matter of doubt.
    private static func scales(_ unknown: RuleCounts.Ratings, _ ruleCounts: RuleCounts) -> [Line] {
        func line(_ counts: RuleCounts.Ratings, _ best: Int, _ isCertain: Bool) -> Line {
            Line(
                rule: "scale: \(best)",
                reason: "\(counts.above) of \(counts.rated) ratings are above five.", isCertain: isCertain,
                books: counts.above)
        }
        if unknown.above > 0 {
            let isCertain = unknown.above >= 3 && unknown.above * 5 >= unknown.rated
            return scale(unknown.highest).map { [line(unknown, $0, isCertain)] } ?? []
        }
        for (name, counts) in ruleCounts.ratings.sorted(by: { $0.key < $1.key }) where counts.above > 0 {
            guard let best = scale(counts.highest) else { continue }
            let formats = Line(
                rule: "formats: [\(name)]", reason: "The scale applies to these files only.",
                isCertain: false, books: counts.above)
            return [line(counts, best, false), formats]
        }
        return []
    }

    /// The usual scale that has a rating; nil if there is none.
    private static func scale(_ highest: Double) -> Int? { [10, 20, 100].first { highest <= Double($0) } }

    // MARK: Authors

    private mutating func proposeAuthors(_ ruleCounts: RuleCounts, _ known: MappingRules?) {
        var lines: [Line] = []
        for spellings in ruleCounts.authors.values where spellings.count > 1 {
            let frequent = RuleCounts.mostFrequent(spellings)
            let key = MappingRules.authorKey(frequent)
            // Programs drop accents, but do not add them.
            let accented = spellings.filter { spelling in
                !spelling.key.unicodeScalars.allSatisfy(\.isASCII)
                    && MappingRules.authorKey(spelling.key) == key
            }
            let name = accented.isEmpty ? frequent : RuleCounts.mostFrequent(accented)
            guard Self.canBeWritten(name, commas: true), known?.authors[key] == nil else { continue }
            // One rule for all spellings with one key.
            var byKey: [[UInt8]: [String: Int]] = [:]
            for (other, count) in spellings where other != name && Self.canBeWritten(other, commas: true) {
                byKey[MappingRules.authorKey(other), default: [:]][other] = count
            }
            let total = spellings.values.reduce(0, +)
            let listed = spellings.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(6)
                .map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
            for (otherKey, others) in byKey where known?.authors[otherKey] == nil {
                let isCertain = otherKey == key
                lines.append(
                    Line(
                        rule: "\(Self.quoted(RuleCounts.mostFrequent(others))): \(Self.quoted(name))",
                        reason:
                            "\(Self.counted(total)): \(listed). \(isCertain ? "They are spellings of one name." : "The words are the same in another order.")",
                        isCertain: isCertain, books: total))
            }
        }
        authors = Self.sorted(lines)
    }

    // MARK: YAML

    /// Whether a text can be a key and a value of a rule, and part of a comment.
    ///
    /// - Parameter commas: Whether it may have commas and other characters that separate shelves.
    private static func canBeWritten(_ text: String, commas: Bool) -> Bool {
        text.utf8.count <= MappingRules.longest
            && text.unicodeScalars.allSatisfy { scalar in
                isVisible(scalar) && (commas || ![",", ";", "|"].contains(scalar))
            }
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
            false
        default: true
        }
    }

    /// A text as a comment. Names in it may have line ends, which would end the comment.
    private static func comment(_ text: String) -> String {
        var comment = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { comment.append(isVisible(scalar) ? scalar : " ") }
        return String(comment)
    }

    /// A text as YAML, quoted unless it certainly means itself.
    private static func quoted(_ text: String) -> String {
        let isPlain =
            text.first?.isLetter == true && text.last != " "
            && text.allSatisfy { $0.isLetter || $0.isASCII && $0.isNumber || " -_.".contains($0) }
            && !["null", "true", "false", "yes", "no", "on", "off", "none", "drop"].contains(
                text.lowercased())
        guard !isPlain else { return text }
        return "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
