package import Books
import Bytes

/// Facts of a Wikidata item about a person: enough to identify an author and to describe them.
package struct PersonFacts: Sendable, Hashable {
    /// Class of the item (P31).
    package enum Kind: UInt8, Sendable, Hashable {
        /// Neither a human nor a pen name: an organisation, a disambiguation page.
        case other = 0
        case human = 1
        /// A pen name of one or several people.
        case pseudonym = 2
    }

    /// Number of the item: 42 for `Q42`.
    package var item: UInt32
    /// The number by which it was requested, if it has been merged into ``item`` since. Not stored.
    package var formerItem: UInt32?
    package var kind: Kind
    /// The name in English, otherwise for all languages (`mul`), otherwise the first one in Latin letters.
    /// Empty if there is none.
    package var label: String = ""
    /// Other names in English or for all languages.
    package var aliases: [String] = []
    package var gender: AuthorGender = .unknown
    /// Items of the countries of citizenship, the first one first: those of preferred rank, otherwise those
    /// that have not ended, otherwise all.
    package var citizenships: [UInt32] = []
    /// Whether an ethnic group (P172) is an indigenous people.
    package var isIndigenous = false
    /// Year of birth; negative before the common era (−44 is 44 BC). Nil if unknown, less precise than a
    /// year, or disputed.
    package var birthYear: Int32?
    package var deathYear: Int32?
    /// Open Library's author keys (P648): `OL34184A`.
    package var openLibraryKeys: [String] = []
    /// VIAF cluster ids (P214).
    package var viaf: [String] = []
    /// ISNI (P213), sixteen characters without blanks.
    package var isni: [String] = []
    /// Goodreads author ids (P2963).
    package var goodreads: [String] = []
    /// Items of notable works (P800). Catalogs do not store them.
    package var works: [UInt32] = []
    /// Titles of ``works``, if they were requested.
    package var titles: [String] = []

    package init(item: UInt32, kind: Kind) {
        self.item = item
        self.kind = kind
    }

    /// Whether an item is this person, under its present number or the one it was merged from.
    func isItem(_ number: UInt32) -> Bool { item == number || formerItem == number }

    /// Whether the item can be an author of books: a human or a pen name.
    package var isPerson: Bool { kind != .other }
    /// The item's id, `Q42`.
    package var itemID: String { "Q\(item)" }

    /// Name of the first country of citizenship in the table: `Nigeria`.
    package var nationality: String? {
        citizenships.lazy.compactMap { CountryTable.standard.country($0)?.name }.first
    }

    /// The region shared by all countries of citizenship, or ``CulturalRegion/international`` if they differ.
    /// An indigenous people takes priority over countries. Nil if no country is known.
    package var region: CulturalRegion? {
        if isIndigenous { return .indigenous }
        var region: CulturalRegion?
        for item in citizenships {
            guard let country = CountryTable.standard.country(item) else { continue }
            if let known = region, known != country.region { return .international }
            region = country.region
        }
        return region
    }
}

/// The packed form of ``PersonFacts`` in which a catalog stores them: 40 to 200 bytes per person.
///
/// Version, item, flags, gender, years, citizenships, then the texts. Each list starts with its length.
/// Numbers have variable length (LEB128), years are zigzag-encoded. A changed form needs a new version, and
/// catalogs must be rebuilt.
extension PersonFacts {
    private static let version: UInt8 = 1

    private enum Flag {
        static let kindMask: UInt8 = 0b11
        static let indigenous: UInt8 = 1 << 2
        static let birth: UInt8 = 1 << 3
        static let death: UInt8 = 1 << 4
    }

    /// The packed form.
    package var packed: [UInt8] {
        var out: [UInt8] = [Self.version]
        Varint.append(UInt64(item), to: &out)
        var flags = kind.rawValue
        if isIndigenous { flags |= Flag.indigenous }
        if birthYear != nil { flags |= Flag.birth }
        if deathYear != nil { flags |= Flag.death }
        out.append(flags)
        out.append(gender.rawValue)
        for year in [birthYear, deathYear].compactMap(\.self) {
            Varint.append(signed: Int64(year), to: &out)
        }
        Varint.append(UInt64(citizenships.count), to: &out)
        for country in citizenships { Varint.append(UInt64(country), to: &out) }
        for texts in [[label], aliases, openLibraryKeys, viaf, isni, goodreads] {
            Varint.append(UInt64(texts.count), to: &out)
            for text in texts {
                Varint.append(UInt64(text.utf8.count), to: &out)
                out.append(contentsOf: text.utf8)
            }
        }
        return out
    }

    /// Parses the packed form; nil if the bytes are not a person in a known version. Any bytes are safe.
    package init?(packed bytes: UnsafeRawBufferPointer) {
        var reader = PackedReader(bytes: bytes)
        guard reader.byte() == Self.version, let item = reader.number(), let flags = reader.byte(),
            let kind = Kind(rawValue: flags & Flag.kindMask),
            let gender = reader.byte().flatMap(AuthorGender.init(rawValue:))
        else { return nil }
        self.init(item: item, kind: kind)
        self.gender = gender
        isIndigenous = flags & Flag.indigenous != 0
        if flags & Flag.birth != 0 {
            guard let year = reader.year() else { return nil }
            birthYear = year
        }
        if flags & Flag.death != 0 {
            guard let year = reader.year() else { return nil }
            deathYear = year
        }
        guard let countries = reader.list({ $0.number() }), let labels = reader.list({ $0.text() }),
            let aliases = reader.list({ $0.text() }), let openLibraryKeys = reader.list({ $0.text() }),
            let viaf = reader.list({ $0.text() }), let isni = reader.list({ $0.text() }),
            let goodreads = reader.list({ $0.text() }), labels.count == 1, reader.isAtEnd
        else { return nil }
        citizenships = countries
        label = labels[0]
        self.aliases = aliases
        self.openLibraryKeys = openLibraryKeys
        self.viaf = viaf
        self.isni = isni
        self.goodreads = goodreads
    }

    /// The decoded form cached for a service's answer: the works, which a catalog does not store, followed by
    /// the packed form.
    var decoded: [UInt8] {
        var out: [UInt8] = []
        Varint.append(UInt64(works.count), to: &out)
        for work in works { Varint.append(UInt64(work), to: &out) }
        return out + packed
    }

    /// Parses ``decoded``; nil if the bytes are invalid. Any bytes are safe.
    init?(decoded: ArraySlice<UInt8>) {
        var rest = decoded
        // Each number takes at least one byte, which limits the memory a damaged count can request.
        guard let count = Varint.take(&rest), count <= UInt64(rest.count) else { return nil }
        var works: [UInt32] = []
        for _ in 0..<count {
            guard let work = Varint.take(&rest).flatMap({ UInt32(exactly: $0) }) else { return nil }
            works.append(work)
        }
        guard let facts = rest.withUnsafeBytes({ PersonFacts(packed: $0) }) else { return nil }
        self = facts
        self.works = works
    }
}

/// Reads a packed form. All methods return nil past the end or for invalid bytes.
private struct PackedReader {
    let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func byte() -> UInt8? {
        guard offset < bytes.count else { return nil }
        offset += 1
        return bytes[offset - 1]
    }

    mutating func number() -> UInt32? {
        Varint.take(bytes, at: &offset, atMost: 5).flatMap { UInt32(exactly: $0) }
    }

    mutating func year() -> Int32? {
        number().map { Int32(bitPattern: $0 >> 1) ^ -Int32(bitPattern: $0 & 1) }
    }

    mutating func text() -> String? {
        guard let length = number(), Int(length) <= bytes.count - offset else { return nil }
        let text = bytes[offset..<offset + Int(length)]
        offset += Int(length)
        return String(decoding: text, as: UTF8.self)
    }

    mutating func list<Element>(_ element: (inout PackedReader) -> Element?) -> [Element]? {
        // Each element takes at least one byte, which limits the memory a damaged count can request.
        guard let count = number(), Int(count) <= bytes.count - offset else { return nil }
        var list: [Element] = []
        list.reserveCapacity(Int(count))
        for _ in 0..<count {
            guard let next = element(&self) else { return nil }
            list.append(next)
        }
        return list
    }
}
