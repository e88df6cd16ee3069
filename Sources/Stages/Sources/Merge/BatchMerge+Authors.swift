import Books
import Bytes

/// Chooses a book's authors, all from one source so that no person appears twice in two spellings.
///
/// A candidate matched by ISBN comes first, then the policy's rule for `authorName`, then the order of the
/// providers. Other candidates fill gaps of a person with exactly the same name, unless their keys show that it
/// is another person. People whom only the row names come last, as contributors: a provider often lacks the
/// translator or the second author. If no candidate names any author, the row's people are used as they are. If
/// none of a row's authors is the book's, the ISBN may be wrong. They are then left out of the work.
extension BatchMerge {
    /// Appends a row's authors.
    ///
    /// - Parameter hasOtherPeople: Whether none of the row's people is known to be one of the candidates'.
    mutating func chooseAuthors(
        _ candidates: ArraySlice<Candidate>, _ all: [CandidateValue], _ library: borrowing LibraryRows,
        row: Int, hasOtherPeople: Bool
    ) {
        let first = authors.count
        guard let source = source(candidates, all) else {
            for index in library.rows[row].people {
                let person = library.people[index]
                authors.append(BookAuthor(name: person.name, role: person.role, origin: .row))
            }
            return
        }
        authorOrigins.append(source)
        append(source, candidates, all)
        authors.removeNameless(from: first)
        if order.count > 1 {
            for other in order where other != source {
                if fill(first..<authors.count, from: other, candidates, all) { authorOrigins.append(other) }
            }
        }
        appendOthers(of: row, library, besides: first..<authors.count, hasOtherPeople: hasOtherPeople)
    }

    /// Appends the row's people who are none of a candidate's. An author becomes a contributor: the provider's data
    /// about the authors is not contradicted.
    ///
    /// Only the row's first author may be one of them in another script or transliteration; anybody else whose name is
    /// another one stays.
    private mutating func appendOthers(
        of row: Int, _ library: borrowing LibraryRows, besides known: Range<Int>, hasOtherPeople: Bool
    ) {
        // The row's first author is usually among the candidate's, in another spelling or script.
        let first = library.rows[row].people.first { library.people[$0].role == .author }
        for index in library.rows[row].people {
            let person = library.people[index]
            if hasOtherPeople, person.role == .author { continue }
            if index == first, library.rows[row].people.count == 1 { continue }
            let isKnown = known.contains {
                isOne(person.name, authors[$0].name, certainly: index != first)
            }
            guard !isKnown else { continue }
            authors.append(
                BookAuthor(
                    name: person.name, role: person.role == .author ? .contributor : person.role, origin: .row
                ))
        }
    }

    /// Whether two names are one person's, or can be. Names in different scripts can.
    private func isOne(_ a: Text, _ b: Text, certainly: Bool) -> Bool {
        if arena.equal(a, b) { return true }
        // Most pairs of names share no initial, and comparing names costs much more than that.
        let (ours, theirs) = (initials(a), initials(b))
        guard
            ours.given == theirs.given || ours.family == theirs.family || ours.given == theirs.family
                || ours.family == theirs.given || !certainly && isForeign(ours) != isForeign(theirs)
        else { return false }
        return certainly
            ? NameAgreement.areCertainlyOne(arena[a], arena[b]) : NameAgreement.canBeOne(arena[a], arena[b])
    }

    private func isForeign(_ initials: (given: UInt8, family: UInt8)) -> Bool { initials.given == 0x80 }

    /// The first letters of a name's first and last word. Beyond ASCII, all letters are taken as equal.
    private func initials(_ name: Text) -> (given: UInt8, family: UInt8) {
        arena.withBytes(name) { bytes in
            func letter(_ byte: UInt8) -> UInt8 { byte >= 0x80 ? 0x80 : byte | 0x20 }
            let blank = bytes.lastIndex(of: 0x20) ?? -1
            return (bytes.first.map(letter) ?? 0, blank + 1 < bytes.count ? letter(bytes[blank + 1]) : 0)
        }
    }

    /// The candidate whose authors are used.
    private func source(_ candidates: ArraySlice<Candidate>, _ all: [CandidateValue]) -> Int? {
        var best: Int?
        var highest = -1
        for index in order {
            let candidate = candidates[candidates.startIndex + index]
            let score =
                (candidate.match == .isbn ? 2 : 0)
                + (policy[.authorName] == .prefer(candidate.provider) ? 1 : 0)
            guard score > highest, namesAnyAuthor(candidate, all) else { continue }
            (best, highest) = (index, score)
        }
        return best
    }

    private func namesAnyAuthor(_ candidate: Candidate, _ all: [CandidateValue]) -> Bool {
        candidate.values.contains { all[$0].field == .authorName && !all[$0].value.isEmpty }
    }

    /// Appends a candidate's authors by author number, including those without a name.
    private mutating func append(_ index: Int, _ candidates: ArraySlice<Candidate>, _ all: [CandidateValue]) {
        let first = authors.count
        let origin = FieldOrigin.candidate(UInt8(index))
        for place in candidates[candidates.startIndex + index].values {
            let value = all[place]
            guard value.field.isOfAuthor, !value.value.isEmpty else { continue }
            while authors.count - first <= Int(value.author) {
                authors.append(BookAuthor(name: .none, role: .author, origin: origin))
            }
            authors[first + Int(value.author)].set(value.field, value.value, in: arena)
        }
    }

    /// Adds another candidate's values for the same people; false if there is nothing new.
    private mutating func fill(
        _ people: Range<Int>, from index: Int, _ candidates: ArraySlice<Candidate>, _ all: [CandidateValue]
    ) -> Bool {
        append(index, candidates, all)
        defer { authors.removeSubrange(people.upperBound...) }
        var hasChanged = false
        // By index, because a slice would make the first change copy the whole batch's array.
        for index in people.upperBound..<authors.count {
            let known = authors[index]
            guard !known.name.isEmpty else { continue }
            let place = people.first { place in
                arena.equal(authors[place].name, known.name) && agree(authors[place].key, known.key)
                    && agree(authors[place].wikidata, known.wikidata)
            }
            guard let place else { continue }
            hasChanged = authors[place].fillGaps(from: known) || hasChanged
        }
        return hasChanged
    }

    private func agree(_ a: Text, _ b: Text) -> Bool { a.isEmpty || b.isEmpty || arena.equal(a, b) }
}

extension [BookAuthor] {
    /// Removes authors of whom a candidate has a key or year but no name.
    fileprivate mutating func removeNameless(from first: Int) {
        guard self[first...].contains(where: \.name.isEmpty) else { return }
        let named = self[first...].filter { !$0.name.isEmpty }
        replaceSubrange(first..., with: named)
    }
}

extension BookAuthor {
    /// Sets a value from a candidate, unless it is already set.
    fileprivate mutating func set(_ field: Field, _ text: Text, in arena: borrowing Arena) {
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

    /// Fills missing values from another source; false if there is nothing new.
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
    /// The role with this name; `contributor` for any other name.
    fileprivate init(named name: String) {
        let name = name.lowercased()
        self = Self.allCases.first { String(describing: $0) == name } ?? .contributor
    }
}
