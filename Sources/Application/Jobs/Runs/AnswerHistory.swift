import Books
import Database
import Services
import Sources
import System

/// Statistics of a store's cached answers for the next import: number of further keys for each book or
/// author.
struct AnswerHistory {
    /// With fewer books or authors the averages say little.
    private static let minimum = 100
    /// Number of authors' records for each first author of a row: books have second authors.
    private static let authorsPerName = 1.1
    /// Number of keys of a kind after which counting stops, so that a large store is not read in full.
    private static let countLimit = 50_000

    private struct Counts {
        var all = 0
        var notFound = 0
    }

    /// By service and name of the kind.
    private var counts: [String: [String: Counts]] = [:]

    /// Counts the cached answers of some services.
    init(_ connection: Connection, of services: [ServiceDefinition]) throws(ETLError) {
        let read = try connection.prepare(
            """
            SELECT count(*), total(missing) FROM (SELECT body IS NULL AS missing FROM answers
            WHERE service = ?1 AND key > ?2 || ':' AND key < ?2 || ';' LIMIT ?3)
            """)
        for definition in services {
            let kinds: Set<ServiceKey.Kind> =
                definition.isOfBooks ? [.isbn] : Set(definition.followUps.keys)
            for kind in kinds where try read.first(definition.name, kind.name, Self.countLimit) {
                counts[definition.name, default: [:]][kind.name] = Counts(
                    all: Int(read.integer(0)), notFound: Int(read.integer(1)))
                read.reset()
            }
        }
    }

    /// Number of keys of a kind for each title, author, person or book (``ServiceDefinition/followUps``); nil
    /// if the store has too few answers of the service.
    func followUps(_ kind: ServiceKey.Kind, of definition: ServiceDefinition) -> Double? {
        func counts(_ kind: ServiceKey.Kind) -> Counts {
            self.counts[definition.name]?[kind.name] ?? Counts()
        }
        let first =
            definition.isOfBooks
            ? counts(.isbn) : Counts(all: max(counts(.authorItems).all, counts(.nameItems).all))
        guard first.all >= Self.minimum else { return nil }
        let found = 1 - Double(first.notFound) / Double(first.all)
        return switch kind {
        // A book is searched by title if its ISBN is not found.
        case .title: 1 - found
        // Only books that are found have works and authors.
        case .work: found
        case .author: found * Self.authorsPerName
        default: Double(counts(kind).all) / Double(first.all)
        }
    }
}
