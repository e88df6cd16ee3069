public import Pipeline

/// Identifies each author of a book with a person of Wikidata and takes over what is known of them
/// (contract.md section 6): gender, nationality, region, years. Who is not identified stays as they are; why
/// is recorded.
public struct EnrichAuthors: Stage {
    private let directory: any PersonDirectory

    /// - Parameter directory: Where people are looked up.
    package init(directory: any PersonDirectory) { self.directory = directory }

    /// Looks up each distinct author of the batch once.
    ///
    /// - Throws: What the directory throws: a catalog that cannot be read.
    public func process(_ batch: consuming Batch<Books>) async throws(StageFailure) -> Batch<Books> {
        // Without a directory nobody is tried: that is what is recorded of each.
        if directory.isEmpty { return batch }
        let authors = DistinctAuthors(batch.payload, withTitles: directory.knowsTitles)
        // A placeholder's name needs no look-up, and is the most frequent name there is.
        let asked = authors.authors.indices.filter {
            !AuthorNames.isPlaceholder(authors.authors[$0].query.foldedName)
        }
        // Authors of whom a service has not said yet who they are.
        var open: [Int: LookUpOutcome] = [:]
        var people = [[PersonFacts]](repeating: [], count: authors.authors.count)
        if !asked.isEmpty {
            let found = try await directory.search(asked.map { authors.authors[$0].query })
            for (number, answer) in zip(asked, found.people) { people[number] = answer }
            for (query, outcome) in found.unsettled { open[asked[query]] = outcome }
        }
        let decisions = zip(authors.authors, people).map {
            // The directory's order is its own affair; ours does not depend on it.
            AuthorIdentification.decide($0, among: $1.sorted { $0.item < $1.item })
        }
        let cultures = decisions.map { $0.culture(in: &batch.payload.arena) }
        for index in batch.payload.authors.indices {
            guard let number = authors.numberOfAuthor[index] else { continue }
            batch.payload.authors[index].culture = cultures[number]
            batch.payload.authors[index].identification = decisions[number].identification
        }
        if !open.isEmpty { batch.payload.leaveOpen(open, authors.numberOfAuthor) }
        return batch
    }
}

extension Books {
    /// Marks the books of authors that a service has left open.
    fileprivate mutating func leaveOpen(_ open: [Int: LookUpOutcome], _ numberOfAuthor: [Int?]) {
        for (row, book) in books.enumerated() {
            let outcome = book.authors.lazy.compactMap { numberOfAuthor[$0].flatMap { open[$0] } }.first
            guard let outcome else { continue }
            matched.unsettled.append(UnsettledAnswer(row: row, service: "wikidata", outcome: outcome))
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
