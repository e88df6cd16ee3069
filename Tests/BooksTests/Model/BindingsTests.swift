import Books
import Testing

@Suite
struct BindingsTests {
    static let hardcover = [
        "Hardcover", "hardback", "Hard cover", "Library Binding", "School & Library Binding", "cloth",
        "Leather Bound",
        "Board book", "Hardcover-spiral", "Gebundene Ausgabe", "Gebundenes Buch", "Leinen", "Relié", "RELIÉ",
        "relie",
        "Cartonné", "Tapa dura", "Tapa dura con sobrecubierta", "Copertina rigida", "Rilegato", "Capa dura",
        "Hardcover met stofomslag", "Gebonden", "Harde kaft", "Твёрдый переплёт", "精装", "HC",
    ]
    static let paperback = [
        "Paperback", "paperback", "PAPERBACK ", "Trade Paperback", "softcover", "Softcover",
        "Perfect Paperback",
        "Staple Bound", "Spiral-bound", "Paper", "pbk.", "Taschenbuch", "Broschiert", "Broschüre",
        "Kartoniert",
        "Klappenbroschur", "Broché", "Tapa blanda", "Tapa blanda con solapas", "Rústica",
        "Copertina flessibile",
        "Brossura", "Capa comum", "Capa mole", "Zachte kaft", "Pamphlet", "Мягкая обложка",
        "Paperback with CD", "Pbk. with CD-ROM",
    ]
    static let massMarket = [
        "Mass Market Paperback", "mass_market_paperback", "Mass Market", "Pocket Book", "Poche",
        "Livre de poche",
        "Format Poche", "Libro de bolsillo", "Livro de bolso", "Tascabile", "Pocket", "Pocketboek",
    ]
    static let ebook = [
        "Kindle Edition", "kindle_edition", "Kindle eBook", "ebook", "E-book", "eBook", "Nook", "NOOK Book",
        "Kobo eBook",
        "[electronic resource]", "epub", "PDF", "Format Kindle", "Versión Kindle", "Formato Kindle",
        "Edição Kindle",
        "Livre numérique", "Libro electrónico", "E-boek", "Kindle-editie",
    ]
    static let audiobook = [
        "Audiobook", "Audible Audio", "Audible Audiobook", "Audio CD", "Audio Cassette", "audio cassette",
        "MP3 CD", "CD",
        "Audio-CD", "Hörbuch", "Hörbuch-Download", "Livre audio", "Audiolibro", "Audiolivro", "Luisterboek",
        "Preloaded Digital Audio Player", "Unabridged on 10 CDs",
    ]
    static let nothing = [
        "", "  ", "Unknown Binding", "unknown", "Comic", "Collection", "CD-ROM", "DVD-ROM", "Microform",
        "Cards", "?",
        "Unbound manuscript", "Calendar", "Vinyl", "Computer Software", "Extra format", "\u{0}\u{FFFD}", "-",
        "___",
    ]
    static let rows: [([String], EditionFormat?)] = [
        (hardcover, .hardcover), (paperback, .paperback), (massMarket, .massMarket), (ebook, .ebook),
        (audiobook, .audiobook), (nothing, nil),
    ]
    static let cases = rows.flatMap { row in row.0.map { ($0, row.1) } }

    @Test(arguments: cases)
    func `a binding is recognized in any case and language`(text: String, format: EditionFormat?) {
        #expect(Self.format(of: text) == format)
        #expect(Self.format(of: "  \(text)\u{A0} ") == format)
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            #expect(Self.format(of: text.uppercased()) == format)
        }
    }

    @Test func `only the beginning of a very long text is searched`() {
        #expect(Self.format(of: "Paperback " + String(repeating: "x", count: 1_000_000)) == .paperback)
        #expect(Self.format(of: String(repeating: "x", count: 1_000_000) + " Paperback") == nil)
    }

    @Test func `any bytes are accepted`() {
        for byte in UInt8.min...UInt8.max {
            for count in [1, 2, 3, 127, 128, 129] {
                let bytes = [UInt8](repeating: byte, count: count)
                #expect(bytes.withUnsafeBytes { EditionFormat(binding: $0) } == nil)
            }
        }
    }

    static func format(of text: String) -> EditionFormat? {
        Array(text.utf8).withUnsafeBytes { EditionFormat(binding: $0) }
    }
}
