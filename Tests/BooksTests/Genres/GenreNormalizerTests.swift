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
            ("Ghosts -- Fiction", ["Ghosts", "Fiction"]), ("Wizards--Fiction", ["Fantasy", "Fiction"]),
            ("Mystery/Thriller", ["Mystery", "Thriller"]), ("M/M Romance", ["LGBTQ+"]),
            ("AC/DC", ["AC", "DC"]), ("24/7 Dogs", ["24/7 Dogs"]),
            ("Legends, myths, fables", ["Folklore & Mythology"]), ("9/11 survivors", ["9/11 survivors"]),
            (
                "Juvenile fiction / Legends, Myths, Fables / General",
                ["Children's", "Folklore & Mythology", "Folklore & Mythology"]
            ),
            ("Fiction, family life", ["Fiction", "Fiction"]),
            ("Fiction / Mystery & Detective / Women Sleuths", ["Fiction", "Mystery", "Mystery"]),
            // Spelling.
            ("  Science\u{A0}Fiction \n", ["Science Fiction"]), ("science-fiction", ["Science Fiction"]),
            ("Children’s", ["Children's"]), ("FANTASÍA", ["Fantasy"]), ("sci–fi", ["Science Fiction"]),
            ("Science Fiction.", ["Science Fiction"]), ("Biography and Autobiography", ["Biography"]),
            ("\u{A0} Zeppelins \u{A0}", ["Zeppelins"]), ("ロボット", ["ロボット"]),
            // Plurals.
            ("Mysteries", ["Mystery"]), ("Biographies", ["Biography"]), ("Autofictions", ["Fiction"]),
            ("Nieces", ["Nieces"]),
            // Noise.
            ("Accessible book", []), ("nyt:combined-print-fiction=2011-05-14", []), ("823/.8", []),
            ("813.6", []),
            ("PQ2678", []), ("PR4172 .W7 2009c", []), ("FIC028000", []), ("Wizards in fiction", []),
            ("Twain, Mark, 1835-1910", []), ("King, Stephen, 1947-", []), ("N/A", []),
            ("series:Disc/world", []),
            ("to-read", []), ("Reading Level-Grade 7", []), ("genre:gothic", ["Gothic"]),
            ("GENRE: Cli-Fi, wet", ["Cli-Fi, wet"]),
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
            json(#" ["Fiction / Thrillers", 7, null, "say\u0001 \"so\""] "#)
                == #"["Fiction","Thriller","say\u0001 \"so\""]"#)
        #expect(json("[Fiction") == #"["[Fiction"]"#)
    }

    @Test
    func `a sentence or a thousand parts neither hang nor trap`() {
        let slashes = String(repeating: "a/", count: 500_000)
        #expect(Self.normalize(slashes) == [slashes])
        #expect(Self.normalize(String(repeating: "-", count: 500)).isEmpty)
        var random = SeededSubjects(seed: 7)
        for _ in 0..<2_000 {
            let subject = random.subject()
            for part in Self.normalize(subject) { #expect(!part.isEmpty) }
        }
    }

    static func normalize(_ subject: String) -> [String] {
        var normalizer = GenreNormalizer()
        var outcomes: [GenreNormalizer.Outcome] = []
        let bytes = Array(subject.utf8)
        bytes.withUnsafeBytes { normalizer.normalize($0, into: &outcomes) }
        return outcomes.map { outcome in
            let start = Int(outcome.start)
            let spelling = outcome.genre.map { normalizer.table.names[Int($0)] }
            return String(
                decoding: spelling ?? Array(bytes[start..<start + Int(outcome.length)]), as: UTF8.self)
        }
    }
}
