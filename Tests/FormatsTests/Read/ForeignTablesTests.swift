import Books
import Formats
import Syntax
import System
import Testing

/// Tables in other languages and encodings.
@Suite struct ForeignTablesTests {
    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    private static let fields: [LibraryField] = [
        .title, .author, .publisher, .yearPublished, .pageCount, .language, .subjects, .rating, .dateRead,
        .privateNotes,
    ]

    @Test(arguments: [
        "Titel,Autor,Verlag,Erscheinungsjahr,Seitenzahl,Sprache,Genre,Bewertung,Gelesen am,Notizen",
        "Titre,Auteur,Éditeur,Année de publication,Nombre de pages,Langue,Catégorie,Note,Date de lecture,Remarques",
        "Título,Autor,Editorial,Año de publicación,Número de páginas,Idioma,Género,Calificación,Fecha de lectura,Comentarios",
        "Titolo,Autore,Editore,Anno di pubblicazione,Numero di pagine,Lingua,Genere,Valutazione,Data di lettura,Commenti",
        "Título,Autor,Editora,Ano de publicação,Número de páginas,Idioma,Gênero,Avaliação,Data de leitura,Observações",
        "Titel,Schrijver,Uitgever,Jaar van uitgave,Aantal pagina's,Taal,Onderwerp,Waardering,Leesdatum,Opmerkingen",
        "TITLE,Author(s),Publisher,Publication Year,No. of pages,Language,Category,My Rating,Date Read,Notes",
    ])
    func `columns are recognized in seven languages`(_ header: String) throws {
        let path = try files.write(header + "\nReef,Ana Lee,Gull,1999,120,fr,Fantasy,4,2020-01-02,fine\n")
        let facts = try RowFacts.of(path, Self.fields)
        #expect(
            facts.rows == [
                ["Reef", "Ana Lee", "Gull", "1999", "120", "fr", "Fantasy", "4", "2020-01-02", "fine"]
            ])
    }

    @Test(arguments: [
        "Titel,Autor,Verlag,Seitenzahl,Erscheinungsjahr,Sprache,Bewertung,Gelesen am,Notizen,ISBN,Reihe,Band,Einband,Regal,"
            + "Rezension,Untertitel,Übersetzer,Genre,Begonnen am,Hinzugefügt am,Zustand,Kaufdatum",
        "Titre,Auteur,Éditeur,Nombre de pages,Année de publication,Langue,Note,Lu le,Commentaires,ISBN,Série,Tome,Reliure,"
            + "Étagère,Critique,Sous-titre,Traducteur,Genre,Commencé le,Date d'ajout,État,Date d'achat",
        "Título,Autor,Editorial,Páginas,Año de publicación,Idioma,Calificación,Fecha de lectura,Notas,ISBN,Serie,Volumen,"
            + "Encuadernación,Estante,Reseña,Subtítulo,Traductor,Género,Fecha de inicio,Fecha de alta,Condición,Fecha de compra",
        "Titolo,Autore,Editore,Pagine,Anno di pubblicazione,Lingua,Valutazione,Data di lettura,Note,ISBN,Serie,Volume,"
            + "Rilegatura,Scaffale,Recensione,Sottotitolo,Traduttore,Genere,Data di inizio,Data di aggiunta,Condizione,Data di acquisto",
        "Título,Autor,Editora,Número de páginas,Ano de publicação,Idioma,Avaliação,Data de leitura,Notas,ISBN,Série,Volume,"
            + "Encadernação,Prateleira,Resenha,Subtítulo,Tradutor,Gênero,Data de início,Data de adição,Condição,Data de compra",
        "Titel,Auteur,Uitgever,Aantal pagina's,Jaar van uitgave,Taal,Beoordeling,Gelezen op,Notities,ISBN,Serie,Deel,"
            + "Bindwijze,Boekenplank,Recensie,Ondertitel,Vertaler,Genre,Begonnen op,Datum toegevoegd,Staat,Aankoopdatum",
    ])
    func `a whole table in another language has no column that is not understood`(_ header: String)
        async throws
    {
        let path = try files.write(header + "\nReef,Ana Lee,Gull,120,1999,fr,4,2020-01-02,fine\n")
        let reading = try await Reading.of(ReadSettings(files: [path]))
        let columns = try #require(reading.columns)
        #expect(columns.unmapped.map { columns.names[$0] } == [])
        #expect(columns[.rating] == 6)
        #expect(columns[.privateNotes] == 8)
    }

    @Test(arguments: [
        ("Lu", "read"), ("lu", "read"), ("LU", "read"), ("Lue", "read"), ("Leído", "read"), ("Letto", "read"),
        ("Lido", "read"), ("gelesen", "read"), ("gelezen", "read"), ("Déjà lu", "read"),
        ("ausgelesen", "read"),
        ("Já li", "read"), ("já lido", "read"), ("Non lu", "to-read"), ("À lire", "to-read"),
        ("PAL", "to-read"),
        ("En cours", "currently-reading"), ("Lese ich gerade", "currently-reading"),
        ("sto leggendo", "currently-reading"),
        ("Estou lendo", "currently-reading"), ("nog te lezen", "to-read"), ("Quiero leer", "to-read"),
        ("Abbandonato", "did-not-finish"), ("Abandonei", "did-not-finish"), ("afgebroken", "did-not-finish"),
        ("Em pausa", "paused"), ("Unterbrochen", "paused"), ("my own", "my own"),
    ])
    func `reading statuses are recognized in seven languages`(_ word: String, _ status: String) throws {
        let path = try files.write("Title,Author,Status\nReef,Ana Lee,\(word)\n")
        #expect(try RowFacts.of(path, [.exclusiveShelf]).rows == [[status]])
    }

    @Test(arguments: [
        "Original language", "Originalsprache", "Langue originale", "Idioma original", "Lingua originale",
        "Oorspronkelijke taal",
    ])
    func `the original language is no other column`(_ name: String) throws {
        let path = try files.write("Title,Author,Language,\(name)\nReef,Ana Lee,German,Englisch\n")
        #expect(try RowFacts.of(path, [.language, .originalLanguage]).rows == [["de", "en"]])
    }

    @Test(arguments: [
        ("true", "1"), ("Yes", "1"), ("no", "0"), ("FALSE", "0"), ("x", "1"), ("Ja", "1"), ("nein", "0"),
        ("oui", "1"),
        ("non", "0"), ("sí", "1"), ("não", "0"), ("2", "2"), ("0", "0"), ("", ""),
    ])
    func `owned books are yes, no or a number`(_ word: String, _ count: String) async throws {
        let path = try files.write("Title,Author,Owned\nReef,Ana Lee,\(word)\n")
        #expect(try RowFacts.of(path, [.ownedCopies]).rows == [[count]])
        let reading = try await Reading.of(ReadSettings(files: [path]))
        #expect(reading.fact(5) == [""])
    }

    @Test(arguments: [
        ("português", "pt"), ("Englisch", "en"), ("francese", "fr"), ("Português (Brasil)", "pt"),
        ("szwedzki", "sv"),
        ("日本語", "ja"), ("немецкий", "de"), ("العربية", "ar"), ("Ελληνικά", "el"), ("norsk bokmål", "nb"),
        ("Suomi", "fi"),
        ("nederlands", "nl"), ("Čeština", "cs"), ("TÜRKÇE", "tr"), ("espanol", "es"), ("eng", "en"),
        ("en-GB", "en"),
        ("Chinese (simplified)", "zh"), ("한국어", "ko"), ("עברית", "he"), ("Magyar", "hu"),
        ("Spanish; Castilian", "es"),
        ("Klingon", "Klingon"),
    ])
    func `languages are recognized by name in many languages`(_ name: String, _ code: String) throws {
        let path = try files.write("Title,Author,Language\nReef,Ana Lee,\"\(name)\"\n")
        #expect(try RowFacts.of(path, [.language]).rows == [[code]])
    }

    /// Text in Mac OS Roman or windows-1252, with the bytes of some letters.
    private func encoded(_ text: String, _ bytes: [Character: UInt8]) -> [UInt8] {
        text.flatMap { character in bytes[character].map { [$0] } ?? Array(String(character).utf8) }
    }

    private static let text = "Title,Author\nL’été à Zürich,Zoé Müller\nCaffè,José Peña\n"

    @Test func `Mac OS Roman and windows-1252 are told apart`() throws {
        let mac = encoded(Self.text, ["’": 0xD5, "é": 0x8E, "à": 0x88, "ü": 0x9F, "è": 0x8F, "ñ": 0x96])
        let windows = encoded(Self.text, ["’": 0x92, "é": 0xE9, "à": 0xE0, "ü": 0xFC, "è": 0xE8, "ñ": 0xF1])
        for bytes in [mac, windows] {
            let facts = try RowFacts.of(try files.write(bytes), [.title, .author])
            #expect(facts.rows == [["L’été à Zürich", "Zoé Müller"], ["Caffè", "José Peña"]])
        }
        #expect(TextEncoding.sniff(head: mac).encoding == .macRoman)
        #expect(TextEncoding.sniff(head: windows).encoding == .windows1252)
        let signs = encoded(
            "Title\nA “quote” – dash • dot… Š x\n",
            ["“": 0x93, "”": 0x94, "–": 0x96, "•": 0x95, "…": 0x85, "Š": 0x8A])
        #expect(TextEncoding.sniff(head: signs).encoding != .macRoman)
    }

    @Test func `characters written as in HTML are decoded where all are`() throws {
        let escaped = "Title,Author\nDombey &amp; Son,Ana &Ouml;z\nCaf&#233;,Bo Ek\nPlain,Kim Ro\n"
        #expect(
            try RowFacts.of(try files.write(escaped), [.title]).rows == [
                ["Dombey & Son"], ["Café"], ["Plain"],
            ])
        let mixed = escaped + "A & B &amp; C,Kim Ro\n"
        #expect(try RowFacts.of(try files.write(mixed), [.title]).rows[0] == ["Dombey &amp; Son"])
    }

    @Test(arguments: [
        ("Momo (German Edition)", "", "de"), ("Momo (GERMAN EDITION)", "", "de"),
        ("La casa (Una saga) (Spanish Edition)", "", "es"), ("Momo (German Edition)", "en", "en"),
        ("Momo (Kindle Edition)", "", ""), ("Momo (Edition)", "", ""), ("German Edition)", "", ""),
        ("(German Edition)", "", "de"), ("Momo (German Edition) (Reihe #2)", "", "de"),
        ("Momo (Reihe #2) (German Edition)", "", "de"), ("Momo (Second German Edition)", "", ""),
        ("The German Edition", "", ""),
    ])
    func `a title that names the language of its edition gives the language`(
        title: String, language: String, expected: String
    ) throws {
        for header in ["Title,Author,Language", "Book Id,Title,Author,My Rating,Language"] {
            let start = header.hasPrefix("Book") ? "1," : ""
            let rating = header.hasPrefix("Book") ? "Ana Lee,3," : "Ana Lee,"
            let path = try files.write("\(header)\n\(start)\(title),\(rating)\(language)\n")
            #expect(try RowFacts.of(path, [.language]).rows == [[expected]])
        }
    }
}
