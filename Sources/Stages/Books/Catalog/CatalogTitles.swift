import Bytes
import Database

/// The catalog's look-up of books by title and author: works whose folded title and author's name hash alike, told
/// apart by the ``Matcher``. Where there are none, those that search finds for the words of both: a letter may be wrong
/// in them, names may be initials, and the author may be missing.
final class CatalogTitles {
    /// Works that one key of title and author may name; beyond it nothing can be told apart.
    static let workLimit = 64
    /// Works that are looked at, of those the ones that stand highest.
    private static let offerLimit = 12

    private let title: KeyBlockReader
    private let editions: Statement
    private let body: Statement
    private let provider: Provider
    private let connection: Connection
    /// What is written anew for each title: the forms of it, and the author's name as it is hashed.
    private var forms = TitleSearchForms()
    private var name: [UInt8] = []
    /// Made for the first title that is not found by its hash.
    private var search: CatalogSearch?

    init(_ connection: Connection, provider: Provider) throws(SQLiteError) {
        self.provider = provider
        self.connection = connection
        // Most titles that are looked for are not there: what only a choice among several takes is read apart.
        title = try KeyBlockReader(connection, table: "title")
        editions = try connection.prepare("SELECT editions FROM work WHERE id = ?")
        body = try connection.prepare("SELECT body FROM work WHERE id = ?")
    }

    /// What was found for a description.
    enum Finding {
        case work(Int64)
        case open([ReviewCandidate])
        case nothing
    }

    /// A work that a key names.
    private struct Hit {
        var work: Int64
        var rank: TitleEntry.Rank
        var editions: Int64 = 0
        /// The form of the title that found it.
        var form: TitleSearchForms.Form
    }

    func find(_ description: BookDescription, in arena: Arena) throws(SQLiteError) -> Finding {
        if let chosen = description.chosen { return chosenWork(chosen) }
        arena.withBytes(description.title) { forms.begin($0) }
        // By its author alone a book is not looked for.
        guard forms.withFolded(forms.forms[0], { !$0.isEmpty }) else { return .nothing }
        arena.withBytes(description.author) { PersonKey.fold($0, into: &name) }
        guard !name.isEmpty else { return try findNear(description, in: arena) }
        let author = FoldedHash(folded: name)
        var hits: [Hit] = []
        for form in forms.forms { try look(for: form, by: author, &hits) }
        // The work's own whole title, and no other of that title: there is nothing to weigh.
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
        return settle(wanted, among: offered, areAll: hits.count <= Self.workLimit)
    }

    /// What the words of title and author find.
    private func findNear(_ description: BookDescription, in arena: Arena) throws(SQLiteError) -> Finding {
        guard description.seeksNearMisses, Int(description.title.length) <= ParsedTitle.byteLimit else {
            return .nothing
        }
        let wanted = MatchQuery(description, in: arena)
        if search == nil { search = try CatalogSearch(connection) }
        guard let search else { return .nothing }
        // The family name alone: of the others there may be initials, here or there.
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
        return settle(wanted, among: offered, areAll: works.count < FullTextSearch.resultLimit)
    }

    /// - Parameter areAll: Whether nothing that fits was left out: else nothing is taken, whatever fits.
    private func settle(_ wanted: MatchQuery, among offered: [MatchCandidate], areAll: Bool) -> Finding {
        switch MatchResult(wanted, chosen: nil, among: offered, of: provider) {
        case .taken(let number) where areAll:
            return chosenWork(ChosenRecord(provider: provider, record: offered[number].record))
        case .taken(let number):
            let ranked = Matcher.Ranked(number: number, score: Matcher(wanted).score(offered[number]))
            return .open(Matcher.options([ranked], of: offered, from: provider))
        case .open(let options): return .open(options)
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

    /// Whether a work's title, the same when folded, is not `C++` where `C` is asked for.
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
        // One of its authors bears the name that was asked for, perhaps as another name.
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

/// What the catalog keeps under the hash of a title and an author: the work, and what tells chance hits apart.
struct TitleEntry {
    /// How well a key describes its work: the lower wins.
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

    /// Works of higher numbers are found by ISBN only: Open Library has come to a hundredth of them.
    static let highestWork: Int64 = (1 << 32) - 1

    /// One number, by which entries of a key are sorted: by work, and the best of a work first where its checks agree.
    ///
    ///     work (32 bits)   check (29)   rank (2)
    var packed: Int64 { work << 31 | check << 2 | rank.rawValue }

    /// The work of an entry that is one number.
    static func work(ofPacked packed: Int64) -> Int64 { packed >> 31 }

    init(work: Int64, check: Int64, rank: Rank) {
        self.work = work
        self.check = check
        self.rank = rank
    }

    /// Nil for what is no entry of this program's.
    init?(packed: Int64) {
        guard let rank = Rank(rawValue: packed & 3) else { return nil }
        self.init(work: Self.work(ofPacked: packed), check: packed >> 2 & ((1 << 29) - 1), rank: rank)
    }
}
