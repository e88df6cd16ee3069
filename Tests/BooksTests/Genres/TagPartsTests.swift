import Testing

@testable import Books

/// Tests the genres of users' tags that the table lacks as a whole. The tags are made up.
@Suite
struct TagPartsTests {
    @Test(
        arguments: [
            // All parts are known: genres, words that say nothing, and words that join.
            ("comics-and-manga", ["Comics & Graphic Novels", "Manga"]),
            ("fairytales-folklore", ["Folklore & Mythology"]),
            ("to-read-essays", ["Essays"]), ("my-favourite-space-operas", ["Science Fiction"]),
            ("poems-n-plays", ["Poetry", "Drama"]), ("art_and_music", ["Art & Design", "Music"]),
            ("memoirs-2019", ["Memoir"]), ("3-westerns", ["Western"]), ("12nonfiction", ["Nonfiction"]),
            ("law-economics-politics", ["Law", "Economics", "Politics"]),
            ("czech-poetry-books", ["Poetry"]), ("children-s-nature-books", ["Children's", "Nature"]),
            ("books-for-the-kids", ["Children's"]), ("library-cookery-books", ["Cooking"]),
            ("diaries-and-letters", ["Biography"]), ("children-to-read", ["Children's"]),
            ("theatre-film-dance", ["Performing Arts"]),
            // Joined words, several words for one, abbreviations, numbers, plurals and the lack of diacritics.
            ("shortstory", ["Short Stories"]), ("steam-punk", ["Science Fiction"]), ("ww1", ["History"]),
            ("world-war-2", ["History"]), ("middlegrade", ["Children's"]),
            ("magical-realist-fic", ["Magical Realism", "Fiction"]),
            ("kid-lit", ["Children's"]), ("screen-play", ["Drama"]), ("bedtime-story", ["Children's"]),
            ("horrorbooks", ["Horror"]), ("sword-sorcery", ["Fantasy"]),
            ("poesia-e-ficcao", ["Poetry", "Fiction"]),
            ("fantasia-epica", ["Fantasy"]),
            // One typing error in a long word.
            ("phillosophy", ["Philosophy"]), ("historcal-fiction", ["Historical Fiction"]),
            ("cool-books", []),
            ("mastery", []), ("westernos", []),
            // Fiction about a field is no book about the field, unless `and` joins them.
            ("tennis-romance", ["Romance"]), ("romance-and-tennis", ["Romance", "Sports & Recreation"]),
            ("fiction-history", ["Fiction", "Historical Fiction"]), ("fiction-medicine", ["Fiction"]),
            ("ww2-mystery", ["Historical Fiction", "Mystery"]), ("mystery-legal", ["Mystery"]),
            ("christian-fantasy", ["Religious Fiction", "Fantasy"]),
            ("historical-memoir", ["Memoir"]), ("gothic-architecture", ["Art & Design"]),
            // An unknown word: only a genre at the end or at the start counts that is one in any company.
            ("moomin-comics", ["Comics & Graphic Novels"]), ("zoology-of-bees-history", ["History"]),
            ("beekeeper-mysteries", ["Mystery"]), ("church-fiction", ["Fiction"]),
            ("nonfiction-bees", ["Nonfiction"]), ("history-etruscan", ["History"]), ("office-drama", []),
            ("horror-vacui", []), ("beekeeper-business", []), ("law-of-attraction", []),
            // Words that give the others another meaning.
            ("horror-movies", []), ("fantasy-maps", []), ("not-fantasy", []), ("poetry-slams-2019", []),
            ("fantasy-football", []), ("romance-languages", []), ("western-europe", []),
            ("fantasy-conventions", []), ("history-teachers", []),
            // Nothing but words that say nothing.
            ("to-read-2019", []), ("my-own-books", []), ("finnish-literature", []), ("-", []), ("a-b-c", []),
            // Other languages.
            ("Сказки-мифы", ["Folklore & Mythology"]), ("شعر-وتراجم", ["Poetry", "Biography"]),
            ("tegneserier", ["Comics & Graphic Novels"]),
        ] as [(String, [String])])
    func `a tag gives the genres of its parts`(tag: String, expected: [String]) {
        #expect(Self.genres(ofShelf: tag) == expected)
    }

    @Test func `a subject that looks like a tag is read like a shelf, but a word of it must be right`() {
        var line = GenreLine()
        #expect(line.genres(of: Array("comics-and-manga".utf8)) == ["Comics & Graphic Novels", "Manga"])
        #expect(line.genres(of: Array("shortstory".utf8)) == ["Short Stories"])
        #expect(line.genres(of: Array("ww1".utf8)) == ["History"])
        // Topography is no typography.
        #expect(line.genres(of: Array("topography".utf8)) == [])
        #expect(line.genres(of: Array("Tennis romance".utf8)) == [])
    }

    @Test func `a subject that is a tag is no topic`() {
        var normalizer = GenreNormalizer()
        func topics(_ subject: String) -> Int {
            Array(subject.utf8).withUnsafeBytes { normalizer.topics(of: $0).count }
        }
        #expect(topics("comics-and-manga") == 0)
        #expect(topics("Beekeepers") == 1)
    }

    @Test func `a user's rules count in tags too`() {
        var rules = GenreRules()
        rules.topics = ["tennis romance"]
        rules.genres = [GenreRules.Entry(name: "Solarpunk", spellings: ["hope fiction"])]
        let table = GenreTable.with(rules)
        #expect(Self.genres(ofShelf: "to-read-tennis-romance", table) == [])
        #expect(Self.genres(ofShelf: "hope-fiction-and-poetry", table) == ["Solarpunk", "Poetry"])
    }

    @Test func `the table of words has each kind, and no word twice in one`() {
        var kinds: Set<String> = []
        for line in String(decoding: PackageResources.tag_words_tsv, as: UTF8.self).split(separator: "\n")
        where !line.hasPrefix("#") {
            let fields = line.split(separator: "\t")
            #expect(fields.count == 2 && TagWords.Kind(rawValue: String(fields[0])) != nil, "\(line)")
            kinds.insert(String(fields[0]))
            let words = fields.dropFirst().flatMap { $0.split(separator: "; ") }
            #expect(Set(words).count == words.count, "\(line)")
        }
        #expect(kinds == Set(TagWords.Kind.allCases.map(\.rawValue)))
    }

    @Test func `a tag of a thousand words neither hangs nor gives a genre`() {
        #expect(Self.genres(ofShelf: String(repeating: "fantasy-", count: 1_000)).isEmpty)
        #expect(Self.genres(ofShelf: String(repeating: "_", count: 1_000)).isEmpty)
    }

    static func genres(ofShelf tag: String, _ table: GenreTable = .standard) -> [String] {
        var normalizer = GenreNormalizer(table: table)
        var outcomes: [GenreNormalizer.Outcome] = []
        Array(tag.utf8).withUnsafeBytes { normalizer.normalize(shelf: $0, into: &outcomes) }
        var genres: [String] = []
        for outcome in outcomes where outcome.sign == .genre {
            guard let genre = outcome.genre else { continue }
            let name = String(decoding: table.names[Int(genre)], as: UTF8.self)
            if !genres.contains(name) { genres.append(name) }
        }
        return genres
    }
}
