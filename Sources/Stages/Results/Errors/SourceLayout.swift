import Foundation
import Pipeline

/// What a file of a job looked like: the names of its columns, and how a record's bytes are its cells.
struct SourceLayout: Equatable {
    /// How a record's bytes are its cells.
    enum Syntax: Equatable {
        case delimited(Dialect)
        /// As the structured format of the name has it.
        case structured(String)
    }

    var names: [String]
    var syntax: Syntax

    /// Columns nobody knows, and the dialect of RFC 4180.
    static let unknown = SourceLayout(names: [], syntax: .delimited(.comma))

    /// The layout of a job's file: from the file itself while it is where it was and unchanged; else the columns
    /// that its records were stored under, taken to be separated by commas where they were text. Unknown where neither is to be had:
    /// every record was turned away and the file is gone.
    static func of(file index: Int, of job: Job, in connection: Connection) throws(StageFailure)
        -> SourceLayout
    {
        if let layout = onDisk(index, of: job) { return layout }
        let stored = try connection.question(
            """
            SELECT y.columns FROM entries e JOIN layouts y ON y.id = e.layout WHERE e.id = ?1
            """)
        guard let record = try RecordFatesReader.first(ofFile: index, of: job.id, in: connection) else {
            return .unknown
        }
        stored.bind(1, record.entry)
        guard try stored.next() else { return .unknown }
        return SourceLayout(names: StoredList.strings(stored.string(0)), syntax: Self.syntax(of: job.profile))
    }

    /// Looks at the file as the import did. That it is gone, changed or unreadable is no failure here: it is only
    /// asked for its header.
    private static func onDisk(_ index: Int, of job: Job) -> SourceLayout? {
        guard job.inputs.indices.contains(index) else { return nil }
        let input = job.inputs[index]
        guard let size = (try? InputFile(input.name))?.size, size == input.size,
            let head = try? FileBytes.head(of: input.name, count: SourceFingerprint.headLength)
        else { return nil }
        var hash = SHA256()
        hash.update(head)
        var settings = ReadSettings(files: [input.name])
        let words = (job.terms?.options ?? [:]).compactMap { option, words in
            words.first.map { (key: option.rawValue, word: $0) }
        }
        guard hash.hexDigest == input.headSHA256, (try? settings.take(words: words)) != nil,
            let file = try? LibraryFile(input.name, index: index, settings: settings)
        else { return nil }
        let syntax = file.text.map { Syntax.delimited($0.dialect.dialect) } ?? .structured(file.format.name)
        return SourceLayout(names: file.columns.names, syntax: syntax)
    }

    private static func syntax(of profile: String?) -> Syntax {
        guard let profile, (try? LibraryFormats.named(profile)) is any StructuredFormat else {
            return .delimited(.comma)
        }
        return .structured(profile)
    }
}
