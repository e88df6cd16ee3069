import Bytes
import Database

/// Looks up books by title and author in a catalog. Works whose folded title and author hash to the same key
/// are compared by the ``Matcher``. If there are none, a full-text search for the words of both allows for a
/// wrong letter, initials, and a missing author.
final class CatalogTitles {
    /// Maximum number of works for one key of title and author. With more, no single work can be identified.
    static let workLimit = 64
    /// Maximum number of works passed to the matcher, highest ranked first.
    private static let offerLimit = 12

    private let title: KeyBlockReader
    private let editions: Statement
    private let body: Statement
    private let provider: Provider
    private let connection: Connection
    /// Buffers reused for each title: its search forms and the folded author's name.
    private var forms = TitleSearchForms()
    private var name: [UInt8] = []
    /// Created for the first title that is not found by its hash.
    private var search: CatalogSearch?

    init(_ connection: Connection, provider: Provider) throws(SQLiteError) {
        self.provider = provider
        self.connection = connection
        // Most titles are not in the catalog, so values needed only to choose among several works are read
        // separately.
        title = try KeyBlockReader(connection, table: "title")
        editions = try connection.prepare("SELECT editions FROM work WHERE id = ?")
        body = try connection.prepare("SELECT body FROM work WHERE id = ?")
    }

    /// The result of a lookup.
    enum Finding {
        case work(Int64)
        case ambiguous([ReviewCandidate])
        case nothing
    }

    /// A work found by a key.
    private struct Hit {
        var work: Int64
        var rank: TitleEntry.Rank
        var editions: Int64 = 0
        /// The form of the title that matched.
        var form: TitleSearchForms.Form
    }

    func find(_ description: BookDescription, in arena: Arena) throws(SQLiteError) -> Finding {
        if let chosen = description.chosen { return chosenWork(chosen) }
        arena.withBytes(description.title) { forms.begin($0) }
        // A book without a title is not looked up by its author alone.
        guard forms.withFolded(forms.forms[0], { !$0.isEmpty }) else { return .nothing }
        arena.withBytes(description.author) { PersonKey.fold($0, into: &name) }
        guard !name.isEmpty else { return try findNear(description, in: arena) }
        let author = FoldedHash(folded: name)
        var hits: [Hit] = []
        for form in forms.forms { try look(for: form, by: author, &hits) }
        // A single match of a work's own whole title needs no comparison.
        if hits.count == 1, hits[0].rank == .whole, try hasSameSigns(hits[0]) { return .work(hits[0].work) }
        if hits.isEmpty {
            forms.addOthers()
            for form in forms.forms.dropFirst() { try look(for: form, by: author, &hits) }
        }
        guard !hits.isEmpty else { return try findNear(description, in: arena) }
        for index in hits.indices { hits[index].editions = try editions(of: hits[index].work) }
        hits.sort {
            $0.rank != $1.rank
                ? $0.rank < $1.rank
                : $0.editions != $1.editions ? $0.editions > $1.editions : $0.work < $1.work
        }
        let wanted = MatchQuery(description, in: arena)
        var offered: [MatchCandidate] = []
        for hit in hits.prefix(Self.offerLimit) {
            if let book = try offer(hit, to: wanted) { offered.append(book) }
        }
        return decision(wanted, among: offered, areAll: hits.count <= Self.workLimit)
    }

    /// Looks the book up by the words of its title and author.
    private func findNear(_ description: BookDescription, in arena: Arena) throws(SQLiteError) -> Finding {
        guard description.seeksNearMisses, Int(description.title.length) <= ParsedTitle.byteLimit else {
            return .nothing
        }
        let wanted = MatchQuery(description, in: arena)
        if search == nil { search = try CatalogSearch(connection) }
        guard let search else { return .nothing }
        // Only the family name: the given names may be initials in either place.
        let author = ParsedName(wanted.author).family
        let shorter = TitleSegments.shorter(wanted.title)
        var works = try search.works(title: shorter.bare ?? wanted.title, author: author)
        if works.isEmpty, let first = shorter.first {
            works = try search.works(title: first, author: author)
        }
        var offered: [MatchCandidate] = []
        for work in works {
            if let book = try read(work.number, editions: work.editions) { offered.append(book) }
        }
        return decision(wanted, among: offered, areAll: works.count < FullTextSearch.resultLimit)
    }

    /// - Parameter areAll: Whether every work that fits is offered. If not, nothing is taken.
    private func decision(_ wanted: MatchQuery, among offered: [MatchCandidate], areAll: Bool) -> Finding {
        switch MatchResult(wanted, chosen: nil, among: offered, of: provider) {
        case .taken(let number) where areAll:
            return chosenWork(ChosenRecord(provider: provider, record: offered[number].record))
        case .taken(let number):
            let ranked = Matcher.Ranked(index: number, score: Matcher(wanted).score(offered[number]))
            return .ambiguous(Matcher.options([ranked], of: offered, from: provider))
        case .ambiguous(let options): return .ambiguous(options)
        case .named, .nothing: return .nothing
        }
    }

    private func chosenWork(_ chosen: ChosenRecord) -> Finding {
        guard chosen.provider == provider, let key = OpenLibraryKey(chosen.record), key.kind == .work else {
            return .nothing
        }
        return .work(key.number)
    }

    private func look(
        for form: TitleSearchForms.Form, by author: FoldedHash, _ hits: inout [Hit]
    ) throws(SQLiteError) {
        guard let hash = forms.withFolded(form, { $0.isEmpty ? nil : FoldedHash(folded: $0) }) else { return }
        let key = TitleKey(title: hash, author: author)
        for packed in try title.values(of: key.key, limit: Self.workLimit + 1) {
            guard let entry = TitleEntry(packed: packed), entry.check == key.check else { continue }
            let hit = Hit(work: entry.work, rank: entry.rank, form: form)
            if let known = hits.firstIndex(where: { $0.work == hit.work }) {
                if hit.rank < hits[known].rank { hits[known] = hit }
            } else {
                hits.append(hit)
            }
        }
    }

    /// Whether the titles agree in signs that folding removes: `C` is not `C++`.
    private func hasSameSigns(_ hit: Hit) throws(SQLiteError) -> Bool {
        guard forms.maySignsDiffer(hit.form) else { return true }
        guard let book = try read(hit.work, editions: 0) else { return false }
        return KeyNormalizer.endings(of: Array(forms.text(hit.form).utf8))
            == KeyNormalizer.endings(of: Array("\(book.title): \(book.subtitle)".utf8))
    }

    private func editions(of work: Int64) throws(SQLiteError) -> Int64 {
        editions.bind(1, work)
        guard try editions.step() else { return 0 }
        defer { editions.reset() }
        return editions.integer(0)
    }

    private func offer(_ hit: Hit, to wanted: MatchQuery) throws(SQLiteError) -> MatchCandidate? {
        guard var book = try read(hit.work, editions: hit.editions) else { return nil }
        // One of the work's authors has the requested name, perhaps as an alternate name.
        book.otherNames = [wanted.author]
        if hit.rank == .edition { book.otherTitles = [forms.text(hit.form)] }
        return book
    }

    private func read(_ work: Int64, editions: Int64) throws(SQLiteError) -> MatchCandidate? {
        body.bind(1, work)
        guard try body.step() else { return nil }
        defer { body.reset() }
        var book = MatchCandidate(record: OpenLibraryKey(.work, work).name, title: "")
        book.weight = editions
        body.withBytes(0) { bytes in
            _ = PackedRecord.forEachValue(bytes) { field, _, range in
                var value: String {
                    String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
                }
                switch field {
                case .title: book.title = value
                case .subtitle: book.subtitle = value
                case .authorName: book.authors.append([value])
                case .firstPublicationYear: book.year = Int32(value)
                default: break
                }
            }
        }
        return book.title.isEmpty ? nil : book
    }
}

/// A catalog's entry for a hash of title and author: the work, and bits to detect collisions.
struct TitleEntry {
    /// How well a key describes its work; lower is better.
    enum Rank: Int64, Comparable {
        /// The work's whole title.
        case whole = 0
        /// An edition's whole title.
        case edition
        /// The work's title without its subtitle.
        case short

        static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// Number of the work.
    var work: Int64
    /// 29 bits of ``TitleKey/check``.
    var check: Int64
    /// How well the key describes the work.
    var rank: Rank

    /// Works with higher numbers are found by ISBN only. Open Library has used about a hundredth of this
    /// range.
    static let highestWork: Int64 = (1 << 32) - 1

    /// One integer. Entries of a key are sorted by it: by work, then best rank first if the checks agree.
    ///
    ///     work (32 bits)   check (29)   rank (2)
    var packed: Int64 { work << 31 | check << 2 | rank.rawValue }

    /// The work of a packed entry.
    static func work(ofPacked packed: Int64) -> Int64 { packed >> 31 }

    init(work: Int64, check: Int64, rank: Rank) {
        self.work = work
        self.check = check
        self.rank = rank
    }

    /// Nil if the value is not a valid entry.
    init?(packed: Int64) {
        guard let rank = Rank(rawValue: packed & 3) else { return nil }
        self.init(work: Self.work(ofPacked: packed), check: packed >> 2 & ((1 << 29) - 1), rank: rank)
    }
}
