package import Pipeline
package import System

/// The user's rules for genres. They override the built-in table.
///
/// ```yaml
/// genres:                                   # GENRE: spellings; a genre of etl's or a new one
///   Science Fiction: [space cowboys, robots]
///   Solarpunk: [solarpunk, hopepunk]
/// topics: [war stories, games]              # never genres
/// ```
package struct GenreRules: Sendable, Hashable {
    /// The spellings of genres, in the order of the file.
    struct Entry: Sendable, Hashable {
        var name: String
        var spellings: [String]
    }

    /// Maximum length of a genre's name and of a spelling, in bytes.
    static let longestSpelling = 256
    private static let keys = ["genres", "topics"]

    var genres: [Entry] = []
    var topics: [String] = []
    /// The file's name and text, which a job keeps so that it can continue with the same rules; nil for no file.
    package private(set) var file: DefinitionSource.File?

    package var isEmpty: Bool { genres.isEmpty && topics.isEmpty }

    /// No rules.
    package init() {}

    /// Reads a file of rules.
    ///
    /// - Throws: `missing` if the file cannot be read; `configuration` with all problems in it, each with line
    ///   and column.
    package init(file path: String) throws(ETLError) {
        do throws(DefinitionError) {
            try self.init(try DefinitionFile.load(path), named: path)
        } catch {
            throw error.failure
        }
    }

    /// Reads the rules that a job has kept.
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
    /// - Parameter file: Its name in errors.
    init(_ bytes: [UInt8], named file: String) throws(DefinitionError) {
        self.file = DefinitionSource.File(name: file, text: String(decoding: bytes, as: UTF8.self))
        let nothing = DefinitionNode(.mapping([]), at: .file(file, line: 1, column: 1))
        let content = try YAMLReader.read(bytes, named: file) ?? nothing
        var reader = MappingReader(
            content.isAbsent ? nothing : content, "a file of genre rules", keys: Self.keys)
        reader.refuseUnknownKeys()
        var problems: [DefinitionProblem] = []
        if let node = reader.node("genres") { readGenres(node, &problems) }
        topics = Self.spellings(reader.items("topics"), &problems)
        problems += reader.problems
        var seen: [[UInt8]: String] = [:]
        for (spelling, meaning) in genres.flatMap({ entry in entry.spellings.map { ($0, entry.name) } })
            + topics.map({ ($0, "topics") })
        {
            let known = seen.updateValue(meaning, forKey: GenreKey.key(spelling))
            guard let known, known != meaning else { continue }
            problems.append(
                DefinitionProblem(
                    .duplicateName, at: content.origin,
                    "\(DefinitionNode.quoted(spelling)) is listed under `\(known)` and `\(meaning)`.",
                    advice: "List it once."))
        }
        guard problems.isEmpty else { throw DefinitionError(problems) }
    }

    private mutating func readGenres(_ node: DefinitionNode, _ problems: inout [DefinitionProblem]) {
        guard let entries = node.entries else {
            problems.append(
                DefinitionProblem(
                    .wrongValue, at: node.origin, "`genres` must be a mapping, not \(node.words).",
                    advice: "Write `GENRE: [spelling, spelling]` lines."))
            return
        }
        for entry in entries {
            if !Self.isSpelling(entry.key) {
                problems.append(
                    DefinitionProblem(
                        .wrongValue, at: entry.origin,
                        "\(DefinitionNode.quoted(entry.key)) is not the name of a genre.",
                        advice: "Use letters, at most \(Self.longestSpelling) bytes."))
            }
            let items: [DefinitionNode] =
                if case .sequence(let items) = entry.value.content { items } else { [entry.value] }
            genres.append(Entry(name: entry.key, spellings: Self.spellings(items, &problems)))
        }
    }

    private static func spellings(
        _ items: [DefinitionNode], _ problems: inout [DefinitionProblem]
    ) -> [String] {
        items.compactMap { item in
            guard let text = item.text, isSpelling(text) else {
                problems.append(
                    DefinitionProblem(
                        .wrongValue, at: item.origin,
                        "A spelling must be text of at most \(longestSpelling) bytes, not \(item.words)."))
                return nil
            }
            return text
        }
    }

    private static func isSpelling(_ text: String) -> Bool {
        text.utf8.count <= longestSpelling && GenreKey.key(text).contains { $0 != UInt8(ascii: "/") }
    }
}
