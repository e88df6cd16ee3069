package import Books
import Bytes
package import Pipeline
import Synchronization

/// A directory of people that is a list: what tests ask instead of a catalog. It counts what it was asked.
package final class PeopleList: PersonDirectory {
    private let people: [PersonFacts]
    private let asked = Mutex<[PersonQuery]>([])

    package init(_ people: [PersonFacts]) { self.people = people }

    /// All queries so far, in the order in which they came.
    package var queries: [PersonQuery] { asked.withLock { $0 } }

    package func find(_ queries: [PersonQuery]) async throws(StageFailure) -> [[PersonFacts]] {
        asked.withLock { $0 += queries }
        return queries.map { query in people.filter { Self.fits($0, query) } }
    }

    private static func fits(_ person: PersonFacts, _ query: PersonQuery) -> Bool {
        if person.item == query.item { return true }
        if let key = query.authorKey, person.openLibraryKeys.contains(key) { return true }
        return ([person.label] + person.aliases).contains {
            Folding.fold($0).utf8.elementsEqual(query.foldedName)
        }
    }
}
