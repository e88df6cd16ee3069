package import Pipeline
package import Syntax

/// A file of delimited text that was looked at: how its bytes mean text, what separates its cells, and where in it
/// the header stands.
package struct DelimitedText: Sendable {
    package let encoding: EncodingGuess
    package let dialect: DialectGuess
    /// Non-blank records before the header.
    package let preamble: [[String]]
    /// Nil where there is none.
    package let headerPosition: Position?
    /// Where the first record begins: after the header, where there is one.
    package let start: Position

    /// What a look at a file finds beside the syntax.
    struct Meaning {
        var text: DelimitedText
        var header: HeaderNames
        var format: any LibraryFormat
        var columns: ColumnMap
    }

    /// Looks at a file.
    ///
    /// - Parameter head: Its first bytes, unpacked.
    /// - Throws: `unusableInput` for what is no table of text, or maps nothing; `configuration` for a profile that
    ///   does not exist.
    static func look(
        at file: InputFile, head: [UInt8], index: Int, settings: ReadSettings
    ) throws(StageFailure) -> Meaning {
        let encoding = encoding(of: head, settings)
        let isWide = encoding.encoding == .utf16LittleEndian || encoding.encoding == .utf16BigEndian
        if let foreign = UnsupportedContent.recognized(head: head, isWide: isWide) {
            throw StageFailure(.unusableInput, "\(file.path) \(foreign.sentence).", advice: foreign.advice)
        }
        var guess = Dialect.sniff(head: encoding.encoding.utf8(ofHead: head))
        let explicit = settings.text.applied(to: guess.dialect)
        let isExplicit = explicit != guess.dialect
        if isExplicit {
            guess.dialect = explicit
            guess.evidence = "As told."
        }
        var search = try HeaderDetection(file: file, settings: settings)
        var found: HeaderDetection.Found?
        for dialect in dialects(guess.dialect, settings) where found == nil {
            found = try search.find(dialect: dialect, encoding: encoding.encoding, fileIndex: index)
            if found != nil, dialect != guess.dialect {
                guess.dialect = dialect
                guess.evidence =
                    isExplicit
                    ? "As told; its header makes sense only so." : "Its header makes sense only so."
            }
        }
        if found == nil {
            found = try search.findWithoutHeader(
                dialect: guess.dialect, encoding: encoding.encoding, fileIndex: index)
        }
        guard let found else { throw search.failure }
        // Who says how it is to be read knows what it is.
        if search.wanted == nil, settings.columns.columns.isEmpty, let table = ExportedTable(found.header) {
            throw table.refusal(of: file.path)
        }
        let text = DelimitedText(
            encoding: encoding, dialect: guess, preamble: found.preamble, headerPosition: found.position,
            start: found.next)
        return Meaning(text: text, header: found.header, format: found.format, columns: found.columns)
    }

    private static func encoding(of head: [UInt8], _ settings: ReadSettings) -> EncodingGuess {
        guard let explicit = settings.text.encoding else { return TextEncoding.sniff(head: head) }
        let mark = explicit == .windows1252 ? TextEncoding.utf8.byteOrderMark : explicit.byteOrderMark
        return EncodingGuess(
            encoding: explicit, byteOrderMarkLength: head.starts(with: mark) ? mark.count : 0,
            evidence: "As told.")
    }

    /// The dialects worth trying: the guess and then the usual ones, each with what was told.
    private static func dialects(_ guess: Dialect, _ settings: ReadSettings) -> [Dialect] {
        let common = [Dialect.comma, .semicolon, .tab, Dialect(delimiter: UInt8(ascii: "|"))]
        return common.map { settings.text.applied(to: $0) }.reduce(into: [guess]) { tried, dialect in
            if !tried.contains(dialect) { tried.append(dialect) }
        }
    }
}

/// A table that etl exported and that is no list of a reader's books: it has titles, and would be taken for one.
enum ExportedTable: String, CaseIterable {
    case works, editions, authors

    /// The table that a header is of.
    init?(_ header: HeaderNames) {
        let keys = Set(header.keys)
        guard let table = Self.allCases.first(where: { keys.isSuperset(of: $0.distinctive) }) else {
            return nil
        }
        self = table
    }

    /// Columns that no other table has together, as ``HeaderNames`` compares them.
    private var distinctive: [String] {
        switch self {
        case .works: ["id", "subjecttags", "synthetic", "reviewstatus"]
        case .editions: ["id", "workid", "editiondescription", "amazonasins"]
        case .authors: ["key", "name", "culturalregion", "identification"]
        }
    }

    /// Why a file of it is not imported.
    func refusal(of path: String) -> StageFailure {
        StageFailure(
            .unusableInput,
            "\(path) is an exported table of \(rawValue), which cannot be imported.",
            advice: "Export the table of books instead: \(UserCommand.exportTable).")
    }
}
