import TestSupport
import Testing

@testable import Books

@Suite
struct GenreNormalizerTests {
    @Test(
        arguments: [
            // Basic examples.
            ("Fiction", ["Fiction"]), ("Thrillers", ["Thriller"]), ("MYSTERY", ["Mystery"]),
            ("Solarpunk", ["Solarpunk"]), ("classics", ["Classic Literature"]),
            ("Fiction / Thrillers / Suspense", ["Fiction", "Thriller", "Thriller"]),
            ("Fiction, fantasy, general", ["Fiction", "Fantasy", "Fantasy"]),
            ("politics", ["Politics"]), ("News", ["Journalism"]), ("Mathematics", ["Mathematics"]),
            // Compounds as libraries, shops and users write them.
            ("Ghosts -- Fiction", ["Fiction"]), ("Wizards--Fiction", ["Fantasy", "Fiction"]),
            ("Mystery/Thriller", ["Mystery", "Thriller"]), ("M/M Romance", ["LGBTQ+"]),
            ("AC/DC", []), ("24/7 Dogs", []), ("Fantasy/Sci-Fi", ["Fantasy", "Science Fiction"]),
            ("Legends, myths, fables", ["Folklore & Mythology"]), ("9/11 survivors", []),
            (
                "Juvenile fiction / Legends, Myths, Fables / General",
                ["Children's", "Folklore & Mythology", "Folklore & Mythology"]
            ),
            ("Fiction, family life", ["Fiction", "Fiction"]),
            ("Fiction / Mystery & Detective / Women Sleuths", ["Fiction", "Mystery", "Mystery"]),
            // The parts say what the others mean.
            ("Fiction / Friendship", ["Fiction", "Contemporary Fiction"]),
            ("Young Adult Fiction / Romance / Contemporary", ["Young Adult", "Romance", "Romance"]),
            ("Magic -- Fiction", ["Fantasy", "Fiction"]), ("Football -- Fiction", ["Fiction"]),
            ("Murder -- Investigation -- Fiction", ["Crime Fiction", "Fiction"]),
            (
                "Great Britain -- History -- Victoria, 1837-1901 -- Fiction",
                ["Historical Fiction", "Fiction"]
            ),
            ("Science fiction -- History and criticism", ["Literary Criticism"]),
            ("Jazz -- History and criticism", ["Music"]),
            ("Literary Criticism / Poetry", ["Literary Criticism"]),
            ("Art / History / Renaissance", ["Art & Design"]), ("Great Britain -- History", ["History"]),
            ("Performing Arts / Film / Genres / Horror", ["Performing Arts"]),
            ("Pets / Dogs / General", ["Nature", "Nature"]),
            ("Fiction - Science Fiction", ["Fiction", "Science Fiction"]),
            ("Science Fiction - General", ["Science Fiction", "Science Fiction"]),
            ("Law -- Dictionaries", ["Law"]), ("Population -- Statistics", []),
            ("Statistics", ["Mathematics"]),
            ("Horror > Fiction", ["Horror", "Fiction"]), ("Fiction|Horror", ["Fiction", "Horror"]),
            ("Books > Science Fiction & Fantasy > Fantasy", ["Science Fiction", "Fantasy"]),
            ("FICTION: Science Fiction", ["Fiction", "Science Fiction"]), ("Hobbits: a guide", []),
            ("Books>Cooking", ["Cooking"]), ("Fiction : Horror", ["Fiction", "Horror"]),
            // A qualifier at the end, in brackets or after a comma.
            ("Thrillers (Fiction)", ["Thriller", "Fiction"]),
            ("Fiction (Thrillers)", ["Fiction", "Thriller"]),
            ("Mystery (Fiction)", ["Mystery", "Fiction"]), ("Mystery [fiction]", ["Mystery", "Fiction"]),
            ("Fiction (Thrillers, Suspense)", ["Fiction", "Thriller", "Thriller"]),
            ("Juvenile fiction / Fantasy (Fiction)", ["Children's", "Fantasy", "Fiction"]),
            ("Magic (Fiction)", ["Fantasy", "Fiction"]), ("Magic, fiction", ["Fantasy", "Fiction"]),
            ("England, fiction", ["Fiction"]), ("Thrillers: Fiction", ["Thriller", "Fiction"]),
            ("Vampires, fiction", ["Paranormal"]), ("Romance (Literary genre)", ["Romance"]),
            ("Fantasy (Romance)", ["Fantasy", "Romance"]), ("Mystery (Theology)", []),
            ("Thriller (Album)", []), ("(Fiction)", []), ("Fiction ()", []), ("()", []), (")", []),
            // Words of genres in another sense.
            ("Pinot noir", []), ("Film noir", []), ("Tartan noir", ["Crime Fiction"]),
            ("Fantasy football", []),
            ("Horror vacui", []), ("Romance languages", []), ("Poetry slam dates", []), ("Office drama", []),
            ("Sci-fi con 2019", []), ("Legal fiction", []), ("Postpunk", []),
            // Other languages.
            ("Fantascienza", ["Science Fiction"]), ("Novela negra", ["Crime Fiction"]),
            ("giallo", ["Mystery"]),
            ("Kinderbücher", ["Children's"]), ("Romanzi rosa", ["Romance"]),
            ("Ficção científica", ["Science Fiction"]),
            ("Sachbücher", ["Nonfiction"]), ("Poëzie", ["Poetry"]),
            // Tags of users.
            ("family-drama", []), ("church-fiction", ["Fiction"]), ("art-themed-fiction", ["Fiction"]),
            ("Feminist-science-fiction", ["Science Fiction"]),
            // Genres and topics.
            ("Deaf-blind people", []), ("Brothers and sisters", []), ("English literature", []),
            ("Hopepunk", ["Hopepunk"]), ("French fiction", ["Fiction"]),
            ("Prison fiction", ["Prison fiction"]), ("want to read fiction", []),
            ("Nordic drama", ["Nordic drama"]), ("Juvenile drama", ["Juvenile drama"]),
            ("Feminist science fiction", ["Science Fiction"]),
            ("American Science fiction", ["Science Fiction"]),
            ("Detective and mystery stories, English", ["Mystery"]),
            // Spelling.
            ("  Science\u{A0}Fiction \n", ["Science Fiction"]), ("science-fiction", ["Science Fiction"]),
            ("Children’s", ["Children's"]), ("FANTASÍA", ["Fantasy"]), ("sci–fi", ["Science Fiction"]),
            ("Science Fiction.", ["Science Fiction"]), ("Biography and Autobiography", ["Biography"]),
            ("\u{A0} Hopepunk \u{A0}", ["Hopepunk"]), ("ロボット", []),
            // Plurals.
            ("Mysteries", ["Mystery"]), ("Biographies", ["Biography"]), ("Autofictions", ["Fiction"]),
            ("Nieces", []),
            // Noise, and a code of BISAC, which is none.
            ("Accessible book", []), ("nyt:combined-print-fiction=2011-05-14", []), ("823/.8", []),
            ("813.6", []),
            ("PQ2678", []), ("PR4172 .W7 2009c", []), ("FIC028000", ["Fiction", "Science Fiction"]),
            ("Wizards in fiction", []),
            ("Twain, Mark, 1835-1910", []), ("King, Stephen, 1947-", []), ("N/A", []),
            ("series:Disc/world", []),
            ("to-read", []), ("Reading Level-Grade 7", []), ("genre:gothic", ["Gothic"]),
            ("GENRE: Cli-Fi", ["Dystopian"]),
            // The genre map takes precedence over the noise table.
            ("World War, 1939-1945", ["History"]),
            // Degenerate input.
            ("", []), (" / , -- ", []), ("---", []), ("'", []), ("Fiction,,,", ["Fiction"]), ("/", []),
        ] as [(String, [String])])
    func `a subject becomes canonical genres or keeps its spelling`(subject: String, expected: [String]) {
        #expect(Self.normalize(subject) == expected)
    }

    @Test
    func `duplicates are removed regardless of case, and the first stays in place`() {
        var line = GenreLine()
        #expect(
            line.genres(of: Array(#"["Fiction","Thrillers","MYSTERY"]"#.utf8)) == [
                "Fiction", "Thriller", "Mystery",
            ])
        #expect(
            line.genres(of: Array("Solarpunk; solarPUNK ;Fiction; novels".utf8)) == ["Solarpunk", "Fiction"])
    }

    @Test
    func `a line may be a genre, a list or a JSON array, and becomes a JSON array`() {
        var line = GenreLine()
        func json(_ text: String) -> String {
            String(decoding: line.json(of: Array(text.utf8)), as: UTF8.self)
        }
        #expect(json("") == "[]")
        #expect(json("thrillers") == #"["Thriller"]"#)
        #expect(
            json(#" ["Fiction / Thrillers", 7, null, "say\u0001 \"so\"", "L\u00e4rmpunk"] "#)
                == #"["Fiction","Thriller","L\u00e4rmpunk"]"#.replacing("\\u00e4", with: "ä"))
        #expect(json("christmas-stories; family-drama; Christmas stories") == #"["Christmas Stories"]"#)
        #expect(json("[Fiction; Fantasy") == #"["Fantasy"]"#)
    }

    @Test
    func `a sentence or a thousand parts neither hang nor trap`() {
        let slashes = String(repeating: "a/", count: 500_000)
        #expect(Self.normalize(slashes).isEmpty)
        #expect(Self.normalize(String(repeating: "-", count: 500)).isEmpty)
        var random = SeededSubjects(seed: 7)
        for _ in 0..<2_000 {
            let subject = random.subject()
            for part in Self.normalize(subject) { #expect(!part.isEmpty) }
        }
    }

    @Test func `every compound of the table gives its genre, however it is separated`() {
        var count = 0
        for line in String(decoding: PackageResources.genres_tsv, as: UTF8.self).split(separator: "\n") {
            let fields = line.split(separator: "\t")
            guard fields.count == 2, fields[0].count > 1, !line.hasPrefix("#") else { continue }
            for compound in fields[1].split(separator: "; ")
            where (compound.contains(" / ") || compound.contains(", ")) && !compound.hasSuffix("?") {
                count += 1
                let separators: [String] = compound.hasPrefix("fiction") ? [" / ", ", ", " -- "] : []
                let spellings: [String] =
                    [String(compound)] + separators.map { String(compound).replacing(" / ", with: $0) }
                for spelling in spellings {
                    #expect(Self.normalize(spelling).contains(String(fields[0])), "\(spelling)")
                }
            }
        }
        #expect(count > 200)
    }

    @Test(
        arguments: [
            // Fiction makes a hint at a genre of fiction a genre.
            (["Magic"], []), (["Magic", "Fiction"], ["Fantasy", "Fiction"]),
            (["Magic", "Wizards"], ["Fantasy"]),
            (["Magic", "Cooking"], ["Cooking"]), (["Magic", "Juvenile fiction"], ["Fantasy", "Children's"]),
            // Nonfiction takes another word and a sign that the book is nonfiction.
            (["Racism", "History"], ["History"]), (["Racism", "Race relations"], []),
            (["Racism", "Race relations", "History"], ["Social Science", "History"]),
            (["Racism", "Race relations", "History", "Fiction"], ["History", "Fiction"]),
            // The same word twice is no second sign.
            (["Racism", "RACISM", "History"], ["History"]),
            (["Friendship", "Schools", "Fiction"], ["Fiction"]),
            // Hints at a genre that is neither fiction nor nonfiction.
            (["Tragedy"], []), (["Tragedy", "Script"], ["Drama"]),
        ] as [([String], [String])])
    func `an ordinary word is a genre only with a second sign`(subjects: [String], expected: [String]) {
        var line = GenreLine()
        #expect(line.genres(of: subjects.map { Array($0.utf8) }) == expected)
    }

    @Test func `a subject that gives no genre shows what it hints at`() {
        var line = GenreLine()
        func hints(_ subject: String, isShelf: Bool = false) -> [String]? {
            Array(subject.utf8).withUnsafeBytes { line.hintsOfUnmapped($0, isShelf: isShelf) }
        }
        #expect(hints("Magic") == ["Fantasy"])
        #expect(hints("Deaf-blind people") == [])
        #expect(hints("Fantasy fiction") == nil)
        #expect(hints("Accessible book") == nil)
        #expect(hints("to-read", isShelf: true) == nil)
        #expect(hints("solarpunk", isShelf: true) == [])
        #expect(hints("solarpunk") == nil)
    }

    static func normalize(_ subject: String) -> [String] {
        var normalizer = GenreNormalizer()
        var outcomes: [GenreNormalizer.Outcome] = []
        let bytes = Array(subject.utf8)
        bytes.withUnsafeBytes { normalizer.normalize($0, into: &outcomes) }
        return outcomes.filter { $0.sign == .genre }.map { outcome in
            let start = Int(outcome.start)
            let spelling = outcome.genre.map { normalizer.table.names[Int($0)] }
            return String(
                decoding: spelling ?? Array(bytes[start..<start + Int(outcome.length)]), as: UTF8.self)
        }
    }

    @Test(arguments: [
        ("FIC009000", "Fantasy"), ("fic028010", "Science Fiction"), ("FIC022000", "Mystery"),
        ("FIC999000", "Fiction"), ("JUV037000", "Fantasy"),
    ])
    func `codes of BISAC give the genres of their headings`(code: String, genre: String) {
        var line = GenreLine()
        let found = line.genres(of: Array(code.utf8))
        #expect(found.contains(genre) && !found.contains(code), "\(found)")
    }
}
