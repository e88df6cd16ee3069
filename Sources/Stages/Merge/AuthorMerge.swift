/// Chooses a book's authors: whole from one source, so that nobody is there twice in two spellings.
///
/// A candidate matched by ISBN comes before one matched by title, then the policy's rule for `authorName`, then
/// the providers' order; the reader's own row only where no candidate names anybody. What the other candidates
/// know of a person of exactly the same name fills the gaps, unless they mean another person by it.
struct AuthorMerge {
    let candidates: ArraySlice<Candidate>
    let values: [CandidateValue]
    let arena: Arena

    /// Authors of a row and the candidates that contributed to them.
    struct Choice {
        var authors: [BookAuthor] = []
        var contributors: [Int] = []
    }

    /// - Parameter order: The row's candidates in the order in which they are heard.
    func choose(order: [Int], rule: FieldRule) -> Choice {
        var choice = Choice()
        guard let source = source(order, rule) else { return choice }
        choice.authors = authors(of: source).filter { !$0.name.isEmpty }
        choice.contributors.append(source)
        for other in order where other != source {
            if fill(&choice.authors, from: other) { choice.contributors.append(other) }
        }
        return choice
    }

    private func source(_ order: [Int], _ rule: FieldRule) -> Int? {
        var best: Int?
        var highest = -1
        for index in order where namesSomebody(index) {
            let candidate = candidates[candidates.startIndex + index]
            let score = (candidate.match == .isbn ? 2 : 0) + (rule == .prefer(candidate.provider) ? 1 : 0)
            if score > highest { (best, highest) = (index, score) }
        }
        return best
    }

    private func namesSomebody(_ index: Int) -> Bool {
        values[candidates[candidates.startIndex + index].values].contains {
            $0.field == .authorName && !$0.value.isEmpty
        }
    }

    /// A candidate's authors by number, those without a name included.
    private func authors(of index: Int) -> [BookAuthor] {
        var authors: [BookAuthor] = []
        let origin = Origin.candidate(UInt8(index))
        for value in values[candidates[candidates.startIndex + index].values] where value.field.isOfAuthor {
            while authors.count <= Int(value.author) {
                authors.append(BookAuthor(name: .none, role: .author, origin: origin))
            }
            set(value, of: &authors[Int(value.author)])
        }
        return authors
    }

    private func set(_ value: CandidateValue, of author: inout BookAuthor) {
        guard !value.value.isEmpty else { return }
        switch value.field {
        case .authorName where author.name.isEmpty: author.name = value.value
        case .authorKey where author.key.isEmpty: author.key = value.value
        case .authorWikidata where author.wikidata.isEmpty: author.wikidata = value.value
        case .authorRole: author.role = role(value.value)
        case .authorBirthYear: author.birthYear = author.birthYear ?? year(value.value)
        case .authorDeathYear: author.deathYear = author.deathYear ?? year(value.value)
        default: break
        }
    }

    private func year(_ text: Text) -> Int32? { arena.withBytes(text) { YearText.read($0).map(Int32.init) } }

    /// A role by its name; a name that says something else makes a contributor.
    private func role(_ text: Text) -> ContributorRole {
        let name = arena[text].lowercased()
        return ContributorRole.allCases.first { String(describing: $0) == name } ?? .contributor
    }

    /// Adds what another candidate knows of the same people; false where that is nothing new.
    private func fill(_ authors: inout [BookAuthor], from index: Int) -> Bool {
        var gave = false
        for known in self.authors(of: index) where !known.name.isEmpty {
            guard let place = authors.firstIndex(where: { arena.equal($0.name, known.name) }),
                agree(authors[place].key, known.key), agree(authors[place].wikidata, known.wikidata)
            else { continue }
            let before = authors[place]
            if authors[place].key.isEmpty { authors[place].key = known.key }
            if authors[place].wikidata.isEmpty { authors[place].wikidata = known.wikidata }
            authors[place].birthYear = before.birthYear ?? known.birthYear
            authors[place].deathYear = before.deathYear ?? known.deathYear
            gave = gave || authors[place] != before
        }
        return gave
    }

    private func agree(_ a: Text, _ b: Text) -> Bool { a.isEmpty || b.isEmpty || arena.equal(a, b) }
}
