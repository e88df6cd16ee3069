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
        let authors = DistinctAuthors(batch.payload)
        // A placeholder's name needs no look-up, and is the most frequent name there is.
        let asked = authors.authors.indices.filter {
            !AuthorNames.isPlaceholder(authors.authors[$0].query.foldedName)
        }
        var people = [[PersonFacts]](repeating: [], count: authors.authors.count)
        if !asked.isEmpty {
            let found = try await directory.find(asked.map { authors.authors[$0].query })
            for (number, answer) in zip(asked, found) { people[number] = answer }
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
        return batch
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
