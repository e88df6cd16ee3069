import Books
import Bytes

/// Notes of a lookup about rows.
extension MatchedRows {
    /// The key under which decisions about a row are stored.
    func matchKey(ofRow row: Int) -> String {
        MatchKey.key(title: library.arena[library.rows[row].title], author: firstAuthor(ofRow: row))
    }

    private func firstAuthor(ofRow row: Int) -> String {
        library.rows[row].people.first.map { library.arena[library.people[$0].name] } ?? ""
    }

    /// Warns that a service returned another book.
    mutating func noteWrongBook(_ row: Int, _ provider: Provider) {
        let isbn = isbns[row].isbn.map { $0.isbn13 } ?? ""
        library.rows[row].warnings.append(
            Warning(
                .mismatch, value: isbn,
                message:
                    "\(provider.contractName) returned a different book for this ISBN; its answer was not used."
            ))
    }

    // MARK: A row that contradicts its ISBN

    /// Warns that the row's ISBN belongs to another book.
    mutating func note(_ other: MismatchCheck, _ row: Int) {
        library.rows[row].warnings.append(
            Warning(
                .isbnOtherBook, value: isbns[row].isbn?.isbn13 ?? "",
                message:
                    "The ISBN belongs to \u{201C}\(other.title)\u{201D} by \(other.author); the row names another book."
            ))
    }

    /// Takes the candidates found by its ISBN from a row, and offers them for a review.
    mutating func contradict(_ row: Int, by other: MismatchCheck) {
        isbns[row].isContradicted = true
        let options = options(candidatesOfRow[row], other)
        removeCandidates(of: row)
        addAbstention(row, options)
    }

    private func options(
        _ range: Range<Int>, _ other: MismatchCheck, score: Double = MatchWeights.isbnAlone
    ) -> [ReviewCandidate] {
        range.map { index in
            ReviewCandidate(
                provider: candidates[index].provider.contractName,
                record: library.arena[candidates[index].record], title: other.title,
                authors: other.author.isEmpty ? [] : [other.author], year: year(of: candidates[index]),
                score: score,
                evidence: [
                    MatchEvidence.isbnSame, other.verdict == .otherPeople ? .authorDiffers : .titleDiffers,
                ].map(\.signed))
        }
    }

    /// Decides about a row whose ISBN is doubted, by the books found by its title and author. If that is the book
    /// with the ISBN, or nothing, the candidates found by the ISBN stay. If it is another book, the row contradicts
    /// its ISBN.
    ///
    /// - Parameters:
    ///   - byISBN: The candidates found by the ISBN. Those found by the title were added last.
    ///   - isChosen: Whether the user chose the book in a review.
    /// - Returns: Whether the doubt is settled.
    mutating func settle(
        _ doubt: MismatchCheck, of row: Int, byISBN: Range<Int>, options: [ReviewCandidate], isChosen: Bool
    ) -> Bool {
        let byTitle = candidatesOfRow[row]
        let isSame = !byTitle.isEmpty && shareWork(byISBN, byTitle)
        guard !byTitle.isEmpty, isChosen || !isSame else {
            if matches.last?.row == row { matches.removeLast() }
            removeCandidates(of: row)
            candidatesOfRow[row] = byISBN
            return isSame && doubt.verdict == .otherTitle
        }
        isbns[row].isContradicted = true
        guard !isChosen else { return true }
        note(doubt, row)
        addAbstention(row, self.options(byISBN, doubt))
        withholdMatch(of: row, options: options)
        return true
    }

    /// Whether candidates may be of one work. Without the keys of works that is not known.
    private func shareWork(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
        func works(_ range: Range<Int>) -> Set<String> {
            var keys: Set<String> = []
            for index in range {
                for value in values[candidates[index].values] where value.field == .workKey {
                    keys.insert(library.arena[value.value])
                }
            }
            return keys
        }
        let (ours, theirs) = (works(a), works(b))
        return ours.isEmpty || theirs.isEmpty || !ours.isDisjoint(with: theirs)
    }

    /// Warns that the book with the row's ISBN has another title or other people, and is used.
    mutating func noteDoubt(_ row: Int, _ other: MismatchCheck) {
        let isTitle = other.verdict == .otherTitle
        isbns[row].doubt = isTitle ? .title : .people
        let used = options(candidatesOfRow[row], other, score: MatchWeights.isbnDoubted)
        if let first = used.first {
            matches.append(
                RowMatch(row: row, match: AcceptedMatch(score: first.score, evidence: first.evidence)))
            addAbstention(row, used, isUsed: true)
        }
        library.rows[row].warnings.append(
            Warning(
                isTitle ? .isbnOtherTitle : .isbnOtherAuthor, value: isbns[row].isbn?.isbn13 ?? "",
                message: isTitle
                    ? "The book with the ISBN is \u{201C}\(other.title)\u{201D}."
                    : "The book with the ISBN is by \(other.author); the row names \(firstAuthor(ofRow: row))."
            )
        )
    }

    private func year(of candidate: Candidate) -> Int32? {
        for field in [Field.publicationDate, .firstPublicationYear] {
            guard let value = values[candidate.values].first(where: { $0.field == field }) else { continue }
            let year = library.arena.withBytes(value.value) { PublicationDate($0)?.year }
            if let year { return Int32(year) }
        }
        return nil
    }

    /// Keeps one candidate of a row, which the user chose, and drops the others.
    mutating func keep(_ index: Int, of row: Int) {
        var chosen = candidates[index]
        chosen.match = .reviewed
        removeCandidates(of: row)
        candidates.append(chosen)
        candidatesOfRow[row] = candidates.count - 1..<candidates.count
    }

    /// A row that contradicts its ISBN gets no book by its title either. The books found are offered for the
    /// review.
    mutating func withholdMatch(of row: Int, options: [ReviewCandidate]) {
        let match = matches.last?.row == row ? matches.popLast()?.match : nil
        let found = candidatesOfRow[row].map { index in
            let candidate = candidates[index]
            func texts(_ field: Field) -> [String] {
                values[candidate.values].filter { $0.field == field }.map { library.arena[$0.value] }
            }
            return ReviewCandidate(
                provider: candidate.provider.contractName, record: library.arena[candidate.record],
                title: (texts(.title).first ?? texts(.editionTitle).first) ?? "", authors: texts(.authorName),
                year: texts(.firstPublicationYear).first.flatMap { Int32($0) }, score: match?.score ?? 1,
                evidence: match?.evidence ?? [])
        }
        removeCandidates(of: row)
        addAbstention(row, found + options)
    }

    /// Removes the candidates of a row, which were added last.
    private mutating func removeCandidates(of row: Int) {
        candidates.removeSubrange(candidatesOfRow[row])
        candidatesOfRow[row] = candidates.count..<candidates.count
    }

    // MARK: An ISBN that is only likely

    /// Uses the only ISBN that fits a damaged cell if the book with it has the row's title and author.
    /// Otherwise removes the candidates.
    mutating func confirmProposal(of row: Int) {
        guard let proposal = isbns[row].proposal else { return }
        let scores = scores(ofRow: row)
        guard scores.contains(where: { $0 >= Matcher.threshold }) else { return removeCandidates(of: row) }
        isbns[row] = RowISBN(isbn: proposal, repair: .titleConfirmed)
        library.rows[row].warnings.append(
            Warning(
                .isbnRepaired, value: proposal.isbn13, message: RepairText.sentence(.titleConfirmed, proposal)
            ))
    }

    /// Removes the candidates found by an identifier if none has the row's title and author. Sites attach
    /// identifiers to other volumes and translations.
    mutating func dropOtherBooks(of row: Int) {
        let range = candidatesOfRow[row]
        guard let first = range.first else { return }
        var score = 1.0
        if candidates[first].match == .identifier, !library.rows[row].title.isEmpty {
            score = scores(ofRow: row).max() ?? 0
            guard score >= Matcher.plausible else { return removeCandidates(of: row) }
            score = max(score, Matcher.threshold)
        }
        matches.append(
            RowMatch(
                row: row,
                match: AcceptedMatch(
                    score: (score * 1_000).rounded() / 1_000, evidence: [MatchEvidence.identifierSame.signed])
            ))
    }

    /// Scores of each candidate of a row for its title and author.
    private func scores(ofRow row: Int) -> [Double] {
        let arena = library.arena
        let wanted = MatchQuery(title: arena[library.rows[row].title], author: firstAuthor(ofRow: row))
        let matcher = Matcher(wanted)
        return candidatesOfRow[row].map { index in
            var book = MatchCandidate(record: "", title: "")
            for value in values[candidates[index].values] {
                switch value.field {
                case .title: book.title = arena[value.value]
                case .subtitle: book.subtitle = arena[value.value]
                case .editionTitle: book.otherTitles.append(arena[value.value])
                case .authorName: book.authors.append([arena[value.value]])
                default: break
                }
            }
            return matcher.score(book).value
        }
    }

    // MARK: Possible matches

    /// Adds the possible matches of a row for the user to review, and a warning.
    mutating func abstain(_ row: Int, _ options: [ReviewCandidate]) {
        addAbstention(row, options)
        let few = abstentions[abstentions.count - 1].options
        let names = few.map { "\($0.record) “\($0.title)” (score \($0.score))" }
        library.rows[row].warnings.append(
            Warning(
                .ambiguousMatch, value: abstentions[abstentions.count - 1].title,
                message: "No match is certain enough to be used: \(names.joined(separator: ", "))."))
    }

    private mutating func addAbstention(_ row: Int, _ options: [ReviewCandidate], isUsed: Bool = false) {
        // Possible matches of the row by its ISBN, which come first.
        let known = abstentions.firstIndex { $0.row == row }
        let others = known.map { abstentions[$0].options } ?? []
        // The best of all providers. Equal scores stay in the order of the providers.
        let best = (others + options).enumerated().sorted { a, b in
            a.element.score != b.element.score ? a.element.score > b.element.score : a.offset < b.offset
        }
        let abstention = MatchAbstention(
            row: row, title: library.arena[library.rows[row].title], author: firstAuthor(ofRow: row),
            options: Matcher.few(of: best.map(\.element)), isUsed: isUsed)
        if let known { abstentions.remove(at: known) }
        abstentions.append(abstention)
    }
}
