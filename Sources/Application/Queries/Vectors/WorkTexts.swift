import Bytes
package import Database
import Store
package import System
package import Vectors

/// Reads the text that is embedded for each work: title and subtitle, authors, genres and
/// description, one sentence each, cut after a thousand characters.
package final class WorkTexts {
    /// Unicode scalars of a text, at most.
    package static let limit = 1_000
    /// Increased with each change of the texts: all vectors are then computed again.
    private static let version: UInt64 = 1

    /// The text of a work.
    package struct Text: Sendable, Hashable {
        package var item: VectorItem
        /// Empty if nothing is known about the work.
        package var text: String
    }

    private let page: Statement
    private let contributors: ContributorNames

    package init(_ store: Connection) throws(ETLError) {
        contributors = try ContributorNames(store)
        // The edition that was created with the work has its id. It may know what the work's own record does not.
        page = try store.prepare(
            """
            SELECT w.id, w.key, ifnull(w.title, d.title), iif(w.title IS NULL, d.subtitle, w.subtitle), w.genres,
                substr(ifnull(w.description, d.description), 1, \(Self.limit))
            FROM works w LEFT JOIN editions d ON d.id = w.id WHERE w.id > ?1 ORDER BY w.id LIMIT ?2
            """)
    }

    /// The number of a store's works.
    package static func count(in store: Connection) throws(ETLError) -> Int {
        Int(try store.integer("SELECT count(*) FROM works") ?? 0)
    }

    /// Identifies the state of all texts of a store: another one after a change of a work, and perhaps without one. Not 0.
    package static func stamp(of store: Connection) throws(ETLError) -> UInt64 {
        let last = try store.integer("SELECT max(id) FROM works") ?? 0
        var state = "\(version)|\(last)|" + (try store.string(stampQuery) ?? "")
        return max(1, state.withUTF8 { KeyHash.hash(UnsafeRawBufferPointer($0)) })
    }

    /// Query for a text that changes whenever stored works change: by updates, merges, corrections, removals and undos, by
    /// pending records that were finished, or because it is another store. It begins with a tag and the first job. Jobs that
    /// change the store without records are counted by the last of them. New works do not change it.
    static let stampQuery = """
        SELECT 'works|' || ifnull((SELECT name || started_at FROM jobs ORDER BY id LIMIT 1), '') || '|'
            || ifnull((SELECT sum(updated) FROM jobs), 0) || '|' || (SELECT count(*) FROM aliases) || '|'
            || (SELECT count(*) FROM pending) || '|'
            || ifnull((SELECT max(id) FROM jobs WHERE total_count = 0), 0)
        """

    /// The texts of works, ascending by id.
    ///
    /// - Parameter id: The work after which to begin.
    package func texts(after id: Int64, atMost count: Int) throws(ETLError) -> [Text] {
        var texts: [Text] = []
        page.bind(values: id, Int64(count))
        defer { page.reset() }
        while try page.next() { texts.append(try text()) }
        return texts
    }

    /// The text of the current row.
    private func text() throws(ETLError) -> Text {
        var sentences: [String] = []
        let (title, subtitle) = (page.string(2), page.string(3))
        if !title.isEmpty { sentences.append(subtitle.isEmpty ? title : "\(title): \(subtitle)") }
        var authors: [String] = []
        try contributors.forEachAuthor(of: page.integer(0)) {
            authors.append(String(decoding: $0, as: UTF8.self))
        }
        if !authors.isEmpty { sentences.append(authors.joined(separator: ", ")) }
        let genres = page.withBytes(4) { StoredList.strings($0) }
        if !genres.isEmpty { sentences.append(genres.joined(separator: ", ")) }
        let description = page.string(5)
        if !description.isEmpty { sentences.append(description) }
        var text = sentences.joined(separator: ". ")
        // Texts of fewer bytes have fewer characters too.
        if text.utf8.count > Self.limit {
            text = String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.limit)))
        }
        return Text(
            item: VectorItem(
                id: page.integer(0), key: page.withBytes(1) { KeyHash.hash($0) },
                text: text.withUTF8 { KeyHash.hash(UnsafeRawBufferPointer($0), seed: Self.version) }),
            text: text)
    }
}
