import Books
package import Contract
package import Database
import Store
package import System

/// A contributor to a work.
package struct Contributor {
    var author: AuthorDTO
    var role: ContributorRole
    var identification: Identification
    /// The person's item in Wikidata; nil if unknown.
    var wikidata: String?
}

/// Reads the contributors of a work, in the order of its record.
package struct ContributorReader {
    private let query: Statement

    package init(_ connection: Connection) throws(ETLError) {
        query = try connection.query(
            """
            SELECT c.role, a.identification, a.key, a.name, a.gender, a.nationality, a.region, a.birth_year,
                a.death_year, a.open_library, a.wikidata
            FROM contributors c JOIN authors a ON a.id = c.author
            WHERE \(ContributorIDs.condition(work: "?1", alias: "c.")) ORDER BY c.id
            """)
    }

    /// All contributors of a work.
    package func all(of work: Int64) throws(ETLError) -> [Contributor] {
        query.bind(1, work)
        var people: [Contributor] = []
        while try query.next() { people.append(Self.contributor(query)) }
        return people
    }

    /// The authors for clients, whose records have no roles: the authors and the contributors without a
    /// stated role. A book whose people are all translators or editors has none.
    package func authors(of work: Int64) throws(ETLError) -> [AuthorDTO] {
        try all(of: work).filter(\.role.isAuthor).map(\.author)
    }

    private static func contributor(_ row: Statement) -> Contributor {
        var next = RowCursor(row)
        let role = ContributorRole(rawValue: UInt8(truncatingIfNeeded: next.integer())) ?? .contributor
        let identification = Identification(rawValue: UInt8(truncatingIfNeeded: next.integer())) ?? .notTried
        let key = next.text()
        var author = AuthorDTO(name: next.text() ?? "")
        author.key = key
        author.gender = AuthorGender(rawValue: UInt8(truncatingIfNeeded: next.integer())) ?? .unknown
        author.nationality = next.text()
        author.culturalRegion = next.optionalInteger().flatMap {
            CulturalRegion(rawValue: UInt8(truncatingIfNeeded: $0))
        }
        author.birthYear = next.optionalInteger()
        author.deathYear = next.optionalInteger()
        author.openLibraryID = next.text()
        return Contributor(author: author, role: role, identification: identification, wikidata: next.text())
    }
}

/// Reads the names of a work's contributors, and nothing else about them.
final class ContributorNames {
    private let query: Statement
    /// The work whose contributors were read last.
    private var work: Int64?
    private var bytes: [UInt8] = []
    private var people: [(role: ContributorRole, name: Range<Int>)] = []

    init(_ connection: Connection) throws(ETLError) {
        query = try connection.query(
            """
            SELECT c.role, a.name FROM contributors c JOIN authors a ON a.id = c.author
            WHERE \(ContributorIDs.condition(work: "?1", alias: "c.")) ORDER BY c.id
            """)
    }

    /// Calls `body` with the names of a work's authors, as ``ContributorReader/authors(of:)`` chooses them.
    func forEachAuthor(
        of work: Int64, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(ETLError) {
        try read(work)
        for person in people where person.role.isAuthor { lend(person.name, to: body) }
    }

    /// Calls `body` with the names and roles of a work's other contributors.
    func forEachHelper(
        of work: Int64, _ body: (UnsafeRawBufferPointer, ContributorRole) -> Void
    ) throws(ETLError) {
        try read(work)
        for person in people where !person.role.isAuthor { lend(person.name) { body($0, person.role) } }
    }

    private func lend(_ range: Range<Int>, to body: (UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    private func read(_ work: Int64) throws(ETLError) {
        guard self.work != work else { return }
        self.work = nil
        bytes.removeAll(keepingCapacity: true)
        people.removeAll(keepingCapacity: true)
        query.bind(1, work)
        while try query.next() {
            let start = bytes.count
            query.withBytes(1) { bytes.append(contentsOf: $0) }
            let role = ContributorRole(rawValue: UInt8(truncatingIfNeeded: query.integer(0))) ?? .contributor
            people.append((role, start..<bytes.count))
        }
        self.work = work
    }
}

extension ContributorRole {
    /// Whether clients take the person for an author: authors, and contributors without a stated role.
    fileprivate var isAuthor: Bool { self == .author || self == .contributor }
}
