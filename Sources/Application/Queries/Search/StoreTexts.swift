import Bytes
import Database
import Sources
import Store
import System

/// Reads the texts by which works of a results store are searched.
final class StoreTexts {
    /// A further title of a work.
    struct OtherTitle {
        /// The title in its original spelling.
        var title: String
        /// The edition that has the title; nil if it is from a user's row.
        var edition: Int64?
    }

    private let work: Statement
    private let editions: Statement
    private let users: Statement
    private let names: Statement

    /// - Parameter index: The store's index, which has the titles in users' rows.
    init(_ store: Connection, _ index: Connection) throws(ETLError) {
        work = try store.prepare("SELECT title, subtitle FROM works WHERE id = ?1")
        editions = try store.prepare(
            """
            SELECT id, title, subtitle FROM editions
            WHERE \(EditionsOfWork.condition(work: "?1")) AND title IS NOT NULL ORDER BY id
            """)
        users = try index.prepare("SELECT title FROM users_title WHERE work = ?1 ORDER BY title")
        names = try store.prepare(
            """
            SELECT a.name FROM contributors c JOIN authors a ON a.id = c.author
            WHERE \(ContributorIDs.condition(work: "?1", alias: "c.")) ORDER BY c.id
            """
        )
    }

    /// The text of a work; nil if it no longer exists.
    func text(of id: Int64) throws(ETLError) -> SearchText? {
        guard let titles = try titles(of: id) else { return nil }
        var text = titles.own
        text.otherTitles = titles.others.map { Folding.fold($0.title) }
        names.bind(1, id)
        var authors: [String] = []
        while try names.next() { authors.append(Folding.fold(names.string(0))) }
        text.author = authors.joined(separator: " ")
        return text
    }

    /// The title of a work at an index of ``SearchText/otherTitles``.
    func otherTitle(_ place: Int, of id: Int64) throws(ETLError) -> OtherTitle? {
        guard let (_, others) = try titles(of: id), others.indices.contains(place) else { return nil }
        return others[place]
    }

    /// A work's own title, folded, and its other titles; nil if the work no longer exists. If the work has no
    /// title, the first other title takes its place.
    private func titles(of id: Int64) throws(ETLError) -> (own: SearchText, others: [OtherTitle])? {
        work.bind(1, id)
        defer { work.reset() }
        guard try work.next() else { return nil }
        var own = SearchText(title: Folding.fold(work.string(0)), subtitle: Folding.fold(work.string(1)))
        var others = try otherTitles(of: id, besides: own)
        if own.title.isEmpty, !others.isEmpty { own.title = Folding.fold(others.removeFirst().title) }
        return (own, others)
    }

    /// Titles of the work's editions, without and with their subtitles, then those in users' rows; each once.
    private func otherTitles(
        of id: Int64, besides text: SearchText
    ) throws(ETLError) -> [OtherTitle] {
        var titles: [OtherTitle] = []
        var seen: Set<String> = ["", text.title, text.wholeTitle]
        editions.bind(1, id)
        while try editions.next() {
            let (title, subtitle) = (editions.string(1), editions.string(2))
            for title in subtitle.isEmpty ? [title] : [title, "\(title): \(subtitle)"]
            where seen.insert(Folding.fold(title)).inserted {
                titles.append(OtherTitle(title: title, edition: editions.integer(0)))
            }
        }
        users.bind(1, id)
        while try users.next() {
            let title = users.string(0)
            if seen.insert(Folding.fold(title)).inserted { titles.append(OtherTitle(title: title)) }
        }
        return titles
    }
}
