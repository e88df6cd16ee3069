import Books
import Bytes
import Database
import System

/// Facts that distinguish two books, or two editions of a book, with the same title, author and language and
/// no ISBN. Values that are not known contradict nothing.
struct DistinctiveFacts: Equatable {
    // The work.
    var subtitle = ""
    /// The book's positions in its series, by the series' folded name.
    var volumes: [String: String] = [:]
    /// The same as they are compared.
    private var places: SeriesPlaces { SeriesPlaces(volumes.map { ($0.key, $0.value) }) }
    /// The number in a series that has the title's name, if it is not the first: `Naruto (Naruto, #3)`. A record with
    /// the title alone is not that volume.
    var ownVolume = ""
    var firstYear: Int?
    /// Open Library's key of the matched work.
    var work = ""

    // The edition.
    var publisher = ""
    var year: Int?
    var pages: Int?
    /// The contract's name of the format; empty if it was only assumed.
    var format = ""

    /// Level at which two records contradict each other.
    enum Contradiction: Comparable {
        case none, edition, work
    }

    func contradiction(to other: DistinctiveFacts) -> Contradiction {
        if Self.differ(subtitle, other.subtitle) || Self.differ(work, other.work) { return .work }
        if Self.differ(firstYear, other.firstYear, by: Self.sameFirstYears) { return .work }
        if ownVolume != other.ownVolume { return .work }
        switch places.relation(to: other.places) {
        case .agree: break
        case .otherPlace: return .work
        // A catalog can know that it is one book.
        case .otherSeries: if work.isEmpty || work != other.work { return .work }
        }
        let isOther =
            Self.differ(year, other.year, by: Self.sameYears) || Self.differ(format, other.format)
            || differsInPages(from: other)
            || !publisher.isEmpty && !other.publisher.isEmpty
                && !PublisherName.agree(publisher, other.publisher)
        return isOther ? .edition : .none
    }

    /// Years by which two sources date one work, and one edition.
    private static let (sameFirstYears, sameYears) = (2, 1)

    /// Sources count pages differently, but not by more than a few in a hundred.
    private func differsInPages(from other: DistinctiveFacts) -> Bool {
        guard let pages, let theirs = other.pages else { return false }
        return abs(pages - theirs) > max(8, max(pages, theirs) / 16)
    }

    private static func differ(_ a: String, _ b: String) -> Bool {
        !a.isEmpty && !b.isEmpty && a != b
    }

    private static func differ(_ a: Int?, _ b: Int?, by most: Int) -> Bool {
        guard let a, let b else { return false }
        return abs(a - b) > most
    }

    /// The part of a key that distinguishes a work from others of the same title and author.
    var workName: String {
        let name = ownName
        return name.isEmpty ? Self.unnumbered : name
    }

    private var ownName: String {
        let parts = volumes.keys.sorted().map { "\($0) \(volumes[$0] ?? "")" } + [subtitle, work]
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The name of a work that has only a title, where the title alone is the key of one of its volumes.
    private static let unnumbered = "0"

    /// The part of a key that also distinguishes an edition.
    var editionName: String {
        let numbers = [firstYear, year, pages].map { $0.map { "\($0)" } ?? "" }
        return ([ownName] + numbers + [publisher, format]).filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension DistinctiveFacts {
    /// - Parameters:
    ///   - work: The text of a column of works.
    ///   - edition: The text of a column of editions.
    ///   - isFormatAssumed: Whether no source states the format.
    init(
        work: (Field) -> String, edition: (Field) -> String, isFormatAssumed: Bool
    ) {
        subtitle = KeyNormalizer.fold(work(.subtitle))
        firstYear = Int(work(.firstPublicationYear))
        self.work = work(.workKey)
        let series = StoredSeries.read(work(.seriesName))
        if !series.isEmpty {
            let titles = [work(.title), edition(.editionTitle)].map(KeyNormalizer.fold)
            for series in series {
                let name = KeyNormalizer.fold(series.name)
                volumes[name] = series.number
                if titles.contains(name), let number = series.number, !["", "0", "1"].contains(number) {
                    ownVolume = number
                }
            }
        }
        publisher = PublisherName.folded(edition(.publisher))
        year = Int(edition(.publicationDate).prefix(4))
        pages = Int(edition(.pageCount))
        format = isFormatAssumed ? "" : edition(.format)
        // Sources call a mass market paperback either way.
        if format == EditionFormat.massMarket.contractName { format = EditionFormat.paperback.contractName }
    }
}

/// Finds the stored edition of a record without ISBN, by title, author and language.
///
/// Several books can have the same. A record that contradicts the edition with its key is another one, whose key
/// names what distinguishes it.
struct TitleIdentity {
    /// The result for a record.
    enum Finding {
        /// A stored edition.
        case edition(RecordIdentity.Edition)
        /// No edition. `key` is the public key of the new one, if it is not the record's own, and `work` the
        /// stored work that it belongs to.
        case new(key: UnsafeRawBufferPointer?, work: Int64?)

        var edition: RecordIdentity.Edition? { if case .edition(let edition) = self { edition } else { nil } }
        var key: UnsafeRawBufferPointer? { if case .new(let key, _) = self { key } else { nil } }
        var work: Int64? { if case .new(_, let work) = self { work } else { nil } }
    }

    let tables: LibraryTables

    /// - Parameter ignoringISBN: Whether the record's ISBN belongs to another book.
    func find(
        _ number: Int, of batch: ResultBatchView, ignoringISBN: Bool = false
    ) throws(ETLError) -> Finding {
        let text =
            ignoringISBN ? titleKey(of: number, in: batch) : batch.bytes(of: batch.rows[number].editionKey)
        guard let key = ignoringISBN ? TextKey(text) : batch.rows[number].titleKey else {
            return .new(key: nil, work: nil)
        }
        guard let first = try edition(with: key, batch) else {
            return .new(key: ignoringISBN ? text : nil, work: nil)
        }
        let own = facts(of: batch.rows[number], in: batch)
        let contradiction = own.contradiction(to: first.facts)
        if contradiction == .none { return .edition(first.edition) }
        var work = contradiction == .edition ? first.edition.work : nil
        // First the work's edition, then one with the record's own details.
        for name in contradiction == .work ? [own.workName, own.editionName] : [own.editionName]
        where !name.isEmpty {
            let bytes = tables.scratch.keep { out in
                out.append(contentsOf: text)
                out.append(UInt8(ascii: "|"))
                out.append(contentsOf: name.utf8)
            }
            guard let next = try edition(with: TextKey(bytes), batch) else {
                return .new(key: bytes, work: work)
            }
            let contradiction = own.contradiction(to: next.facts)
            if contradiction == .none || name == own.editionName { return .edition(next.edition) }
            if contradiction == .edition { work = next.edition.work }
        }
        return .edition(first.edition)
    }

    /// The key that a record without an ISBN would have.
    private func titleKey(of number: Int, in batch: ResultBatchView) -> UnsafeRawBufferPointer {
        let prepared = batch.rows[number]
        let language = WorkColumns.count + Int(EditionColumns.index[Int(Field.language.rawValue)])
        return tables.scratch.keep { out in
            KeyComposer.appendTitleKey(
                title: batch.bytes(of: prepared.entry.title), author: batch.bytes(of: prepared.entry.author),
                language: batch.bytes(of: batch.columns[prepared.columns + language]), to: &out)
        }
    }

    /// The facts of a stored edition; empty if there is none.
    func facts(ofEdition id: Int64, _ batch: ResultBatchView) throws(ETLError) -> DistinctiveFacts {
        guard let edition = try tables.books.edition(id, batch),
            let work = try tables.books.work(edition.work, batch)
        else { return DistinctiveFacts() }
        return Self.facts(work, edition)
    }

    private static func facts(_ work: CachedWork, _ edition: CachedEdition) -> DistinctiveFacts {
        func text(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }
        return work.texts.withColumns { work in
            edition.texts.withColumns { columns in
                DistinctiveFacts(
                    work: { text(work[Int(WorkColumns.index[Int($0.rawValue)])]) },
                    edition: { text(columns[Int(EditionColumns.index[Int($0.rawValue)])]) },
                    isFormatAssumed: edition.lineage.assumed.contains(.format))
            }
        }
    }

    /// A stored edition with its facts.
    private func edition(
        with key: TextKey, _ batch: ResultBatchView
    ) throws(ETLError) -> (edition: RecordIdentity.Edition, facts: DistinctiveFacts)? {
        guard let id = try tables.indexes.editions.place(of: key).row else { return nil }
        guard let edition = try tables.books.edition(id, batch),
            let work = try tables.books.work(edition.work, batch)
        else { return nil }
        return (RecordIdentity.Edition(id: id, work: edition.work), Self.facts(work, edition))
    }

    func facts(of prepared: PreparedRow, in batch: ResultBatchView) -> DistinctiveFacts {
        let sources = RecordSources(entry: 0, isNewEntry: false, candidates: [])
        let isAssumed =
            sources.offer(of: .format, in: batch.bytes(of: prepared.editionLineage))?.rule == .assumed
        return DistinctiveFacts(
            work: {
                batch.string(batch.columns[prepared.columns + Int(WorkColumns.index[Int($0.rawValue)])])
            },
            edition: {
                batch.string(
                    batch.columns[
                        prepared.columns + WorkColumns.count + Int(EditionColumns.index[Int($0.rawValue)])])
            },
            isFormatAssumed: isAssumed)
    }
}
