import Bytes
import Foundation
package import Sources
import Synchronization
package import System

/// A table of `Tests/Labelled`: tab-separated fields, named by the first line.
package struct LabelledTable: Sendable {
    /// A line by field names; an absent field is empty.
    package struct Row: Sendable {
        fileprivate let fields: [String: String]

        /// A field by its name.
        package subscript(_ name: String) -> String { fields[name] ?? "" }
    }

    /// Its lines.
    package let rows: [Row]

    /// Reads a table by its file name.
    package init(_ name: String) {
        let text =
            (try? String(contentsOfFile: "\(ProjectFiles.root)/Tests/Labelled/\(name)", encoding: .utf8))
            ?? ""
        let lines = text.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        rows = lines.dropFirst().map { line in
            Row(fields: Dictionary(zip(lines[0], line)) { first, _ in first })
        }
    }
}

/// A directory of people from a list, used instead of a catalog. It records its queries.
package final class PeopleList: PersonDirectory {
    private let people: [PersonFacts]
    private let asked = Mutex<[PersonQuery]>([])

    package init(_ people: [PersonFacts]) { self.people = people }

    /// All queries so far, in order.
    package var queries: [PersonQuery] { asked.withLock { $0 } }

    package func find(_ queries: [PersonQuery]) async throws(ETLError) -> PeopleFound {
        asked.withLock { $0 += queries }
        return PeopleFound(people: queries.map { query in people.filter { Self.fits($0, query) } })
    }

    private static func fits(_ person: PersonFacts, _ query: PersonQuery) -> Bool {
        if person.item == query.item { return true }
        if let key = query.authorKey, person.openLibraryKeys.contains(key) { return true }
        return ([person.label] + person.aliases).contains {
            Folding.fold($0).utf8.elementsEqual(query.foldedName)
        }
    }
}
