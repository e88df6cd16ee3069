import Bytes
public import Pipeline
import Services

/// Identifies each author of a book with a person of Wikidata and takes over what is known of them
/// (contract.md section 6): gender, nationality, region, years. Who is not identified stays as they are; why
/// is recorded.
public struct EnrichAuthors: Stage {
    /// Services are asked here.
    public var waitsForServices: Bool { true }

    private let directory: any PersonDirectory

    /// - Parameter directory: Where people are looked up.
    package init(directory: any PersonDirectory) { self.directory = directory }

    /// Looks up each distinct author of the batch once.
    ///
    /// - Throws: What the directory throws: a catalog that cannot be read.
    public func process(_ batch: consuming Batch<BookBatch>) async throws(StageFailure) -> Batch<BookBatch> {
        // Without a directory nobody is tried: that is what is recorded of each.
        if directory.isEmpty { return batch }
        if directory.isWithoutPeople {
            batch.payload.refuseAll()
            return batch
        }
        let authors = DistinctAuthors(batch.payload, withTitles: directory.knowsTitles)
        // A placeholder's name needs no look-up, and is the most frequent name there is.
        let asked = authors.queries.indices.filter {
            !AuthorNames.isPlaceholder(authors.queries[$0].foldedName)
        }
        // Authors of whom a service has not said yet who they are.
        var open: [Int: LookupOutcome] = [:]
        var people = [[PersonFacts]](repeating: [], count: authors.queries.count)
        if !asked.isEmpty {
            let found = try await directory.search(asked.map { authors.queries[$0] })
            for (number, answer) in zip(asked, found.people) { people[number] = answer }
            for (query, outcome) in found.unanswered { open[asked[query]] = outcome }
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
                // The directory's order is its own affair; ours does not depend on it.
                among: people[number].sorted { $0.item < $1.item })
            verdicts.append((decision.identification, decision.culture(in: &batch.payload.arena)))
        }
        for index in batch.payload.authors.indices {
            guard let number = authors.numberOfAuthor[index] else { continue }
            batch.payload.authors[index].culture = verdicts[number].culture
            batch.payload.authors[index].identification = verdicts[number].identification
        }
        if !open.isEmpty { batch.payload.leaveOpen(open, authors.numberOfAuthor) }
        return batch
    }
}

extension BookBatch {
    /// Says of each author why nobody is found, where there is nobody to be found.
    fileprivate mutating func refuseAll() {
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

    /// Marks the books of authors that a service has left open.
    fileprivate mutating func leaveOpen(_ open: [Int: LookupOutcome], _ numberOfAuthor: [Int?]) {
        for (row, book) in books.enumerated() {
            let outcome = book.authors.lazy.compactMap { numberOfAuthor[$0].flatMap { open[$0] } }.first
            guard let outcome else { continue }
            matched.unanswered.append(UnansweredQuery(row: row, service: "wikidata", outcome: outcome))
        }
    }
}

extension AuthorIdentification.Decision {
    /// The person's culture, its texts in the arena; nothing known where nobody was accepted.
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
