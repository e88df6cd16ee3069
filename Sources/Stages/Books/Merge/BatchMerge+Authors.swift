import Bytes

/// Chooses a book's authors: whole from one source, so that nobody is there twice in two spellings.
///
/// A candidate matched by ISBN comes before one matched by title, then the policy's rule for `authorName`,
/// then the providers' order; the reader's own row only where no candidate names anybody. What the other
/// candidates know of a person of exactly the same name fills the gaps, unless they mean another person by
/// it.
extension BatchMerge {
    /// Appends a row's authors.
    mutating func chooseAuthors(
        _ candidates: ArraySlice<Candidate>, _ all: [CandidateValue], _ library: borrowing LibraryRows,
        row: Int
    ) {
        let first = authors.count
        guard let source = source(candidates, all) else {
            for index in library.rows[row].people {
                let person = library.people[index]
                authors.append(BookAuthor(name: person.name, role: person.role, origin: .row))
            }
            return
        }
        authorGivers.append(source)
        append(source, candidates, all)
        authors.removeNameless(from: first)
        guard order.count > 1 else { return }
        for other in order where other != source {
            if fill(first..<authors.count, from: other, candidates, all) { authorGivers.append(other) }
        }
    }

    /// The candidate whose authors are taken.
    private func source(_ candidates: ArraySlice<Candidate>, _ all: [CandidateValue]) -> Int? {
        var best: Int?
        var highest = -1
        for index in order {
            let candidate = candidates[candidates.startIndex + index]
            let score =
                (candidate.match == .isbn ? 2 : 0)
                + (policy[.authorName] == .prefer(candidate.provider) ? 1 : 0)
            guard score > highest, namesSomebody(candidate, all) else { continue }
            (best, highest) = (index, score)
        }
        return best
    }

    private func namesSomebody(_ candidate: Candidate, _ all: [CandidateValue]) -> Bool {
        candidate.values.contains { all[$0].field == .authorName && !all[$0].value.isEmpty }
    }

    /// Appends a candidate's authors by number, those without a name included.
    private mutating func append(_ index: Int, _ candidates: ArraySlice<Candidate>, _ all: [CandidateValue]) {
        let first = authors.count
        let origin = FieldOrigin.candidate(UInt8(index))
        for place in candidates[candidates.startIndex + index].values {
            let value = all[place]
            guard value.field.isOfAuthor, !value.value.isEmpty else { continue }
            while authors.count - first <= Int(value.author) {
                authors.append(BookAuthor(name: .none, role: .author, origin: origin))
            }
            authors[first + Int(value.author)].learn(value.field, value.value, in: arena)
        }
    }

    /// Adds what another candidate knows of the same people; false where that is nothing new.
    private mutating func fill(
        _ people: Range<Int>, from index: Int, _ candidates: ArraySlice<Candidate>, _ all: [CandidateValue]
    ) -> Bool {
        append(index, candidates, all)
        defer { authors.removeSubrange(people.upperBound...) }
        var gave = false
        // By index: a slice of them would make the first change copy the whole batch's.
        for index in people.upperBound..<authors.count {
            let known = authors[index]
            guard !known.name.isEmpty else { continue }
            let place = people.first { place in
                arena.equal(authors[place].name, known.name) && agree(authors[place].key, known.key)
                    && agree(authors[place].wikidata, known.wikidata)
            }
            guard let place else { continue }
            gave = authors[place].fillGaps(from: known) || gave
        }
        return gave
    }

    private func agree(_ a: Text, _ b: Text) -> Bool { a.isEmpty || b.isEmpty || arena.equal(a, b) }
}

extension [BookAuthor] {
    /// Takes out authors of whom a candidate knows a key or a year, but no name.
    fileprivate mutating func removeNameless(from first: Int) {
        guard self[first...].contains(where: \.name.isEmpty) else { return }
        let named = self[first...].filter { !$0.name.isEmpty }
        replaceSubrange(first..., with: named)
    }
}

extension BookAuthor {
    /// Takes one value of a candidate; the first of a kind stands.
    fileprivate mutating func learn(_ field: Field, _ text: Text, in arena: borrowing Arena) {
        switch field {
        case .authorName where name.isEmpty: name = text
        case .authorKey where key.isEmpty: key = text
        case .authorWikidata where wikidata.isEmpty: wikidata = text
        case .authorRole: role = ContributorRole(named: arena[text])
        case .authorBirthYear where birthYear == nil: birthYear = Self.year(text, in: arena)
        case .authorDeathYear where deathYear == nil: deathYear = Self.year(text, in: arena)
        default: break
        }
    }

    private static func year(_ text: Text, in arena: borrowing Arena) -> Int32? {
        arena.withBytes(text) { YearText.read($0).map(Int32.init) }
    }

    /// Takes what another source knows and this one does not; false where that is nothing.
    fileprivate mutating func fillGaps(from other: BookAuthor) -> Bool {
        let before = self
        if key.isEmpty { key = other.key }
        if wikidata.isEmpty { wikidata = other.wikidata }
        birthYear = birthYear ?? other.birthYear
        deathYear = deathYear ?? other.deathYear
        return self != before
    }
}

extension ContributorRole {
    /// The role of that name; a name that says something else makes a contributor.
    fileprivate init(named name: String) {
        let name = name.lowercased()
        self = Self.allCases.first { String(describing: $0) == name } ?? .contributor
    }
}
