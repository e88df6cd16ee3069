package import Books
import Bytes
package import Pipeline
package import System

/// Identifies each author of a book as a person of Wikidata and adds gender, nationality, region and years.
/// An author who is not identified is not changed; the reason is stored.
package struct EnrichAuthors: Stage {
    /// This stage asks services.
    package var waitsForServices: Bool { true }

    private let directory: any PersonDirectory

    /// - Parameter directory: The directory to look people up in.
    package init(directory: any PersonDirectory) { self.directory = directory }

    /// Looks up each distinct author of the batch once. People of a row who are a provider's author under another name
    /// are removed before.
    ///
    /// - Throws: The directory's errors, such as a catalog that cannot be read.
    package func process(_ batch: consuming Batch<BookBatch>) async throws(ETLError) -> Batch<BookBatch> {
        // Without a directory no author is looked up, and all keep the status `notTried`.
        if directory.isEmpty { return batch }
        try await batch.payload.removeOtherNames(knownTo: directory)
        if directory.isWithoutPeople {
            batch.payload.markAllUnknown()
            return batch
        }
        let authors = DistinctAuthors(
            batch.payload, withTitles: directory.knowsTitles, waiting: batch.payload.rowsWaitingForKeys)
        // Placeholder names need no lookup. They are the most frequent names.
        let asked = authors.queries.indices.filter {
            !AuthorNames.isPlaceholder(authors.queries[$0].foldedName)
        }
        // Authors for whom a service did not answer.
        var unanswered: [Int: PeopleFound.Gap] = [:]
        var people = [[PersonFacts]](repeating: [], count: authors.queries.count)
        if !asked.isEmpty {
            let found = try await directory.find(asked.map { authors.queries[$0] })
            for (number, answer) in zip(asked, found.people) { people[number] = answer }
            for (query, gap) in found.unanswered { unanswered[asked[query]] = gap }
        }
        var verdicts: [(identification: Identification, culture: Culture)] = []
        verdicts.reserveCapacity(people.count)
        for number in people.indices {
            if people[number].isEmpty {
                let query = authors.queries[number]
                let reason = AuthorIdentification.ofUnknown(query.foldedName, hasItem: query.item != nil)
                verdicts.append((reason, Culture()))
                continue
            }
            let decision = AuthorIdentification.decide(
                authors.author(number, in: batch.payload.arena),
                // The result does not depend on the directory's order.
                among: people[number].sorted { $0.item < $1.item })
            verdicts.append((decision.identification, decision.culture(in: &batch.payload.arena)))
        }
        for index in batch.payload.authors.indices {
            guard let number = authors.indexOfAuthor[index] else { continue }
            batch.payload.authors[index].culture = verdicts[number].culture
            batch.payload.authors[index].identification = verdicts[number].identification
        }
        if !unanswered.isEmpty { batch.payload.markUnanswered(unanswered, authors.indexOfAuthor) }
        return batch
    }
}

extension BookBatch {
    /// Rows whose author may still get a key: a provider with authors' keys has not answered yet, but is
    /// likely to.
    fileprivate var rowsWaitingForKeys: Set<Int> {
        Set(matched.unanswered.lazy.filter { $0.mayHaveAuthorKey && $0.outcome.isLikelyToEnd }.map(\.row))
    }

    /// Sets the reason for all authors, if the directory has no people.
    fileprivate mutating func markAllUnknown() {
        var name: [UInt8] = []
        for book in books {
            for index in book.authors {
                name.removeAll(keepingCapacity: true)
                arena.withBytes(authors[index].name) { Folding.fold($0, into: &name) }
                let hasItem = arena.withBytes(authors[index].wikidata) { PersonQuery.item($0) } != nil
                authors[index].culture = Culture()
                authors[index].identification = AuthorIdentification.ofUnknown(name, hasItem: hasItem)
            }
        }
    }

    /// Marks the books of authors for whom a service did not answer.
    fileprivate mutating func markUnanswered(_ unanswered: [Int: PeopleFound.Gap], _ indexOfAuthor: [Int?]) {
        for (row, book) in books.enumerated() {
            let gap = book.authors.lazy.compactMap { indexOfAuthor[$0].flatMap { unanswered[$0] } }.first
            guard let gap else { continue }
            matched.unanswered.append(UnansweredQuery(row: row, service: gap.service, outcome: gap.outcome))
        }
    }
}

extension AuthorIdentification.Decision {
    /// The person's culture, with its texts in the arena; empty if no person was accepted.
    fileprivate func culture(in arena: inout Arena) -> Culture {
        var culture = Culture()
        guard let person else { return culture }
        culture.gender = person.gender
        culture.nationality = person.nationality.map { arena.append($0) } ?? .none
        culture.region = person.region
        culture.birthYear = person.birthYear
        culture.deathYear = person.deathYear
        culture.item = arena.append(person.itemID)
        return culture
    }
}
