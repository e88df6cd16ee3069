import Books
import Database
import Pipeline

/// A contributor to a work.
struct Contributor {
    var author: AuthorDTO
    var role: ContributorRole
    var identification: Identification
    /// The person's item in Wikidata; nil if unknown.
    var wikidata: String?
}

/// Reads the contributors of a work, in the order of its record.
struct ContributorReader {
    private let query: Statement

    init(_ connection: Connection) throws(StageFailure) {
        query = try connection.query(
            """
            SELECT c.role, a.identification, a.key, a.name, a.gender, a.nationality, a.region, a.birth_year,
                a.death_year, a.open_library, a.wikidata
            FROM contributors c JOIN authors a ON a.id = c.author
            WHERE \(ContributorIDs.condition(work: "?1", alias: "c.")) ORDER BY c.id
            """)
    }

    /// All contributors of a work.
    func all(of work: Int64) throws(StageFailure) -> [Contributor] {
        query.bind(1, work)
        var people: [Contributor] = []
        while try query.next() { people.append(Self.contributor(query)) }
        return people
    }

    /// The authors for clients, whose records have no roles: the authors and the contributors without a
    /// stated role. If there are neither, all contributors.
    func authors(of work: Int64) throws(StageFailure) -> [AuthorDTO] {
        let people = try all(of: work)
        let authors = people.filter { $0.role == .author || $0.role == .contributor }
        return (authors.isEmpty ? people : authors).map(\.author)
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
