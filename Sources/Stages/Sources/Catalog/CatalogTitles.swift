import Books
import Bytes
import Database
import System

/// Looks up books by title and author in a catalog.
///
/// Works whose title and author hash to the row's key are compared by the ``Matcher``. If there are none, works with
/// the title are compared whatever their author, and works of the author whose title is one typing error away
/// (``MistypedTitle``). Each lookup reads a bounded number of keys and works, so a row costs little even if its book
/// is unknown.
final class CatalogTitles {
    /// Maximum number of works for one key. With more, no single work can be identified.
    static let workLimit = 64
    /// Maximum authors of a work, and alternate names of each, by which its titles are found.
    static let authorLimit = 3
    static let otherNameLimit = 8
    /// Maximum number of keys read for a title with any author. A work has a key for each name of its authors.
    private static let keyLimit = 512
    /// Maximum number of works with the row's key that are passed to the matcher, highest ranked first.
    private static let offerLimit = 12

    private let title: KeyBlockReader
    private let mistyped: KeyBlockReader
    private let editions: Statement
    private let body: Statement
    private let authors: Statement
    private let author: Statement
    private let provider: Provider
    /// Buffers reused for each title: its search forms and the folded author's name.
    private var forms = TitleSearchForms()
    private var name: [UInt8] = []
    private var otherName: [UInt8] = []

    init(_ connection: Connection, provider: Provider) throws(ETLError) {
        self.provider = provider
        // Most titles are not in the catalog, so values needed only to choose among several works are read
        // separately.
        title = try KeyBlockReader(connection, table: "title")
        mistyped = try KeyBlockReader(connection, table: "mistyped_title")
        editions = try connection.prepare("SELECT editions FROM work WHERE id = ?")
        body = try connection.prepare("SELECT body FROM work WHERE id = ?")
        authors = try connection.prepare("SELECT authors FROM work WHERE id = ?")
        author = try connection.prepare("SELECT body FROM author WHERE id = ?")
    }

    /// The result of a lookup.
    enum Finding {
        /// A matched work; without a match if the user chose it.
        case work(Int64, AcceptedMatch?)
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
        /// The author of the row by whose name it was found, if it is not the first one.
        var otherAuthor: String?
    }

    func find(_ description: BookDescription, in arena: Arena) throws(ETLError) -> Finding {
        if let chosen = description.chosen { return chosenWork(chosen) }
        arena.withBytes(description.title) { forms.begin($0) }
        // A book without a title is not looked up by its author alone.
        guard forms.withForm(forms.forms[0], { !$0.isEmpty }) else { return .nothing }
        let wanted = MatchQuery(description, in: arena)
        for series in wanted.series where !series.areSeveral {
            if let number = series.volume, number > 1, isNamed(series.name) { forms.addVolume(number) }
        }
        arena.withBytes(description.author) { PersonKey.fold($0, into: &name) }
        guard !name.isEmpty else {
            forms.addOthers()
            return try findNear(wanted)
        }
        let author = FoldedHash(folded: name)
        var hits: [Hit] = []
        for form in forms.forms { try look(for: form, by: author, &hits) }
        if hits.isEmpty {
            let count = forms.forms.count
            forms.addOthers()
            for form in forms.forms[count...] { try look(for: form, by: author, &hits) }
            if hits.isEmpty {
                try lookForOthers(of: description, in: arena, &hits)
            } else {
                try lookForVolumes(of: wanted, by: author, &hits)
            }
        }
        guard !hits.isEmpty else { return try findNear(wanted) }
        for index in hits.indices { hits[index].editions = try editions(of: hits[index].work) }
        hits.sort {
            $0.rank != $1.rank
                ? $0.rank < $1.rank
                : $0.editions != $1.editions ? $0.editions > $1.editions : $0.work < $1.work
        }
        var offered: [MatchCandidate] = []
        for hit in hits.prefix(Self.offerLimit) {
            if let book = try offer(hit, to: wanted) { offered.append(book) }
        }
        return decision(wanted, among: offered, areAll: hits.count <= Self.workLimit)
    }

    /// Looks the titles up with the row's further authors.
    private func lookForOthers(
        of description: BookDescription, in arena: Arena, _ hits: inout [Hit]
    ) throws(ETLError) {
        for name in description.otherAuthors where hits.isEmpty {
            arena.withBytes(name) { PersonKey.fold($0, into: &otherName) }
            guard !otherName.isEmpty, otherName != self.name else { continue }
            let author = FoldedHash(folded: otherName)
            for form in forms.forms { try look(for: form, by: author, &hits) }
            for index in hits.indices { hits[index].otherAuthor = arena[name] }
        }
    }

    /// Looks for other volumes of a title without a number that was found for a numbered one: `T` for `T, Book 2`.
    private func lookForVolumes(
        of wanted: MatchQuery, by author: FoldedHash, _ hits: inout [Hit]
    ) throws(ETLError) {
        guard let number = ParsedTitle(wanted.title, series: wanted.series).loneVolume else { return }
        for other in 1...Self.volumesLookedFor where other != number {
            try look(for: forms.volume(other), by: author, &hits)
        }
    }

    /// Volumes of a title that a catalog has if it has any.
    private static let volumesLookedFor = 3

    /// Whether the title is the name of a series.
    private func isNamed(_ series: String) -> Bool {
        var series = series
        return series.withUTF8 { series in
            FoldedHash.withForm(UnsafeRawBufferPointer(series)) { name in
                forms.withForm(forms.forms[0]) { name.hasSameBytes(as: $0) }
            }
        }
    }

    // MARK: Near misses

    /// Looks the book up by its title with any author, and as a mistyped title of the author.
    private func findNear(_ wanted: MatchQuery) throws(ETLError) -> Finding {
        guard wanted.title.utf8.count <= ParsedTitle.byteLimit else { return .nothing }
        var works: Set<Int64> = []
        var areAll = true
        for form in forms.forms where !form.isWeak {
            guard let hash = forms.withForm(form, { $0.isEmpty ? nil : FoldedHash(folded: $0) }) else {
                continue
            }
            var found: Set<Int64> = []
            let items = try title.items(of: TitleKey.all(of: hash), limit: Self.keyLimit)
            for item in items { found.insert(TitleEntry.work(ofPacked: item.value)) }
            guard items.count < Self.keyLimit, found.count <= Self.workLimit else {
                areAll = false
                continue
            }
            works.formUnion(found)
        }
        if let family = name.split(separator: 0x20).last {
            let keys = forms.withForm(forms.shortest) { form in
                family.withUnsafeBytes { family in
                    MistypedTitle.keys(ofAsked: form, by: family)
                        + (MistypedTitle.key(ofBeginning: form, by: family).map { [$0] } ?? [])
                }
            }
            for key in keys {
                let found = try mistyped.values(of: key, limit: Self.workLimit + 1)
                if found.count <= Self.workLimit { works.formUnion(found) } else { areAll = false }
            }
        }
        var offered: [MatchCandidate] = []
        for work in works.sorted() {
            guard var book = try read(work, editions: try editions(of: work)) else { continue }
            // A book without authors shares only the title with a row that names one.
            if book.authors.isEmpty, !name.isEmpty { continue }
            try addOtherNames(of: work, to: &book)
            offered.append(book)
        }
        return decision(wanted, among: offered, areAll: areAll)
    }

    /// - Parameter areAll: Whether every work that fits is offered. If not, nothing is taken.
    private func decision(_ wanted: MatchQuery, among offered: [MatchCandidate], areAll: Bool) -> Finding {
        switch MatchResult(wanted, chosen: nil, among: offered, of: provider, areAll: areAll) {
        case .taken(let number, let match):
            guard let key = OpenLibraryKey(offered[number].record) else { return .nothing }
            return .work(key.number, match)
        case .ambiguous(let options): return .ambiguous(options)
        case .named, .nothing: return .nothing
        }
    }

    private func chosenWork(_ chosen: ChosenRecord) -> Finding {
        guard chosen.provider == provider, let key = OpenLibraryKey(chosen.record), key.kind == .work else {
            return .nothing
        }
        return .work(key.number, nil)
    }

    private func look(
        for form: TitleSearchForms.Form, by author: FoldedHash, _ hits: inout [Hit]
    ) throws(ETLError) {
        guard let hash = forms.withForm(form, { $0.isEmpty ? nil : FoldedHash(folded: $0) }) else { return }
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

    private func editions(of work: Int64) throws(ETLError) -> Int64 {
        guard try editions.first(work) else { return 0 }
        defer { editions.reset() }
        return editions.integer(0)
    }

    private func offer(_ hit: Hit, to wanted: MatchQuery) throws(ETLError) -> MatchCandidate? {
        guard var book = try read(hit.work, editions: hit.editions) else { return nil }
        // One of the work's authors has the requested name. If no later author has it as the main name, the first
        // one has it as an alternate name.
        let name = hit.otherAuthor ?? wanted.author
        let author = ParsedName(name)
        let isLater = book.authors.dropFirst().joined().contains {
            NameAgreement.score(author, ParsedName($0)).value > 0
        }
        if !isLater { book.otherNames = [name] }
        if hit.rank == .edition { book.otherTitles = [forms.text(hit.form)] }
        return book
    }

    /// Adds the alternate names of a work's first authors.
    private func addOtherNames(of work: Int64, to book: inout MatchCandidate) throws(ETLError) {
        guard try authors.first(work) else { return }
        let numbers = authors.withBytes(0) { NumberList.unpack($0) }
        authors.reset()
        for number in numbers.prefix(Self.authorLimit) where try author.first(number) {
            author.withBytes(0) { record in
                var isMain = true
                PackedRecord.forEachName(ofAuthor: record, others: Self.otherNameLimit) { name in
                    if !isMain { book.otherNames.append(String(decoding: name, as: UTF8.self)) }
                    isMain = false
                }
            }
            author.reset()
        }
    }

    private func read(_ work: Int64, editions: Int64) throws(ETLError) -> MatchCandidate? {
        guard try body.first(work) else { return nil }
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

extension PackedRecord {
    /// Calls `use` with the names in an author's record: the main name and up to `limit` alternate names.
    static func forEachName(
        ofAuthor record: UnsafeRawBufferPointer, others limit: Int, _ use: (UnsafeRawBufferPointer) -> Void
    ) {
        var others = 0
        _ = forEachValue(record) { field, _, range in
            guard field == .authorName || field == .authorAlternateName && others < limit else { return }
            if field == .authorAlternateName { others += 1 }
            use(UnsafeRawBufferPointer(rebasing: record[range]))
        }
    }
}
