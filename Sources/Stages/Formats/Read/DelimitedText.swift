import Books
package import Syntax
package import System

/// The guesses about a file of delimited text: encoding, dialect, and where the header is.
package struct DelimitedText: Sendable {
    package let encoding: EncodingGuess
    package let dialect: DialectGuess
    /// Records before the header that are not blank.
    package let preamble: [[String]]
    /// Nil if there is no header.
    package let headerPosition: Position?
    /// Start of the first data record, after the header if there is one.
    package let start: Position

    /// The guesses, with the header and what its columns mean.
    struct Meaning {
        var text: DelimitedText
        var header: HeaderNames
        var format: any LibraryFormat
        var columns: ColumnMap
    }

    /// Examines a file.
    ///
    /// - Parameter head: The first bytes of the file, decompressed.
    /// - Throws: `unusableInput` if the file is not a table of text or no column maps to a title or ISBN;
    ///   `configuration` for an unknown format.
    static func look(
        at file: InputFile, head: [UInt8], index: Int, settings: ReadSettings
    ) throws(ETLError) -> Meaning {
        var encoding = file.isTable ? .table : try encoding(of: file, head, settings)
        if let content = UnsupportedContent.recognized(head: head, isWide: encoding.encoding.isWide) {
            throw ETLError(.unusableInput, "`\(file.path)` \(content.sentence).", advice: content.advice)
        }
        var guess = Dialect.sniff(head: encoding.encoding.utf8(ofHead: head))
        if file.isTable { (guess.dialect, guess.evidence) = (.comma, "Its cells are known.") }
        let explicit = file.isTable ? guess.dialect : settings.text.applied(to: guess.dialect)
        let isExplicit = explicit != guess.dialect
        if isExplicit {
            guess.dialect = explicit
            guess.evidence = "As specified."
        }
        var search = try HeaderDetection(file: file, settings: settings)
        var found: HeaderDetection.Found?
        for dialect in file.isTable ? [.comma] : dialects(guess.dialect, settings) where found == nil {
            found = try search.find(dialect: dialect, encoding: encoding.encoding, fileIndex: index)
            if found != nil, dialect != guess.dialect {
                guess.dialect = dialect
                guess.evidence =
                    isExplicit
                    ? "As specified; the header is only recognized this way."
                    : "The header is only recognized this way."
            }
        }
        if found == nil {
            found = try search.findWithoutHeader(
                dialect: guess.dialect, encoding: encoding.encoding, fileIndex: index)
        }
        guard let found else { throw search.failure }
        if found.format.mixesEncodings, settings.text.encoding == nil, !encoding.encoding.isWide {
            encoding = EncodingGuess(
                encoding: .utf8, byteOrderMarkLength: encoding.byteOrderMarkLength,
                evidence: encoding.encoding == .utf8
                    ? encoding.evidence
                    : "Its cells are in several encodings, and each is decoded for itself.")
        }
        // If the user chose a format or mapped columns, the file is not questioned.
        if search.wanted == nil, settings.columns.columns.isEmpty, let table = ExportedTable(found.header) {
            throw table.refusal(of: file.path)
        }
        let text = DelimitedText(
            encoding: encoding, dialect: guess, preamble: found.preamble, headerPosition: found.position,
            start: found.next)
        return Meaning(text: text, header: found.header, format: found.format, columns: found.columns)
    }

    private static func encoding(
        of file: InputFile, _ head: [UInt8], _ settings: ReadSettings
    ) throws(ETLError) -> EncodingGuess {
        guard let explicit = settings.text.encoding else { return try file.encodingGuess(head) }
        let mark =
            explicit.isSingleByte ? TextEncoding.utf8.byteOrderMark : explicit.byteOrderMark
        return EncodingGuess(
            encoding: explicit, byteOrderMarkLength: head.starts(with: mark) ? mark.count : 0,
            evidence: "As specified.")
    }

    /// The dialects to try: the guess, then the common ones, each with the user's options applied.
    private static func dialects(_ guess: Dialect, _ settings: ReadSettings) -> [Dialect] {
        let common = [Dialect.comma, .semicolon, .tab, Dialect(delimiter: UInt8(ascii: "|"))]
        return common.map { settings.text.applied(to: $0) }.reduce(into: [guess]) { tried, dialect in
            if !tried.contains(dialect) { tried.append(dialect) }
        }
    }
}

/// A table that etl exported and that is not a list of the user's books. It has titles, so it would otherwise
/// be imported as books.
enum ExportedTable: String, CaseIterable {
    case works, editions, authors

    /// The table with this header; nil if it is not one of these.
    init?(_ header: HeaderNames) {
        let keys = Set(header.keys)
        guard let table = Self.allCases.first(where: { keys.isSuperset(of: $0.distinctive) }) else {
            return nil
        }
        self = table
    }

    /// Columns that no other table has together, spelled as ``HeaderNames`` compares them.
    private var distinctive: [String] {
        switch self {
        case .works: ["id", "subjecttags", "synthetic", "reviewstatus"]
        case .editions: ["id", "workid", "editiondescription", "amazonasins"]
        case .authors: ["key", "name", "culturalregion", "identification"]
        }
    }

    /// The failure for importing such a file.
    func refusal(of path: String) -> ETLError {
        ETLError(
            .unusableInput,
            "`\(path)` is an exported table of \(rawValue), which cannot be imported.",
            advice: "Export the table of books instead: \(UserCommand.exportTable).")
    }
}

extension EncodingGuess {
    /// The encoding of text that was made from a sheet or from objects.
    fileprivate static let table = EncodingGuess(
        encoding: .utf8, byteOrderMarkLength: 0, evidence: "The document says so.")
}
