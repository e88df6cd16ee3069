import Testing

@testable import Books

@Suite
struct GenreTableTests {
    @Test
    func `every canonical genre maps to itself`() {
        #expect(GenreTable.standard.names.count == 76)
        for (number, name) in GenreTable.standard.names.enumerated() {
            let key = GenreKey.key(String(decoding: name, as: UTF8.self))
            #expect(key.withUnsafeBytes { GenreTable.standard.genre(of: $0) } == UInt16(number))
        }
    }

    @Test
    func `no two lines claim the same spelling`() {
        var meaning: [[UInt8]: String] = [:]
        for line in String(decoding: PackageResources.genres_tsv, as: UTF8.self).split(separator: "\n")
        where !line.hasPrefix("#") && !line.hasPrefix("+") && !line.hasPrefix("!") && !line.hasPrefix("~") {
            let fields = line.split(separator: "\t")
            // A word can name one genre, and hint at another one in fiction: history.
            for spelling in fields.dropFirst().flatMap({ $0.split(separator: ";") })
            where !spelling.hasSuffix("?") {
                let key = GenreKey.key(String(spelling))
                #expect(meaning[key, default: String(fields[0])] == String(fields[0]), "\(spelling)")
                meaning[key] = String(fields[0])
                var scratch: [UInt8] = []
                #expect(key.withUnsafeBytes { GenreTable.standard.meaning(of: $0, scratch: &scratch) } != nil)
            }
        }
        #expect(meaning.count > 1_200)
    }

    @Test
    func `an ordinary word only hints at a genre`() {
        func meaning(_ word: String) -> GenreTable.Meaning? {
            var scratch: [UInt8] = []
            return GenreKey.key(word).withUnsafeBytes {
                GenreTable.standard.meaning(of: $0, scratch: &scratch)
            }
        }
        for word in [
            "magic", "translation", "writing", "utopia", "friendship", "schools", "Friendships", "cats",
        ] {
            guard case .hint = meaning(word) else {
                Issue.record("\(word) is \(String(describing: meaning(word)))")
                continue
            }
        }
        #expect(meaning("solarpunk") == nil)
        #expect(meaning("wuxia") == .ownSpelling)
        #expect(meaning("English literature") == .topic)
        #expect(meaning("Latin American literature") == nil)
    }

    @Test
    func `no genre of the map is noise`() {
        for name in GenreTable.standard.names {
            let key = GenreKey.key(String(decoding: name, as: UTF8.self))
            let isNoise = name.withUnsafeBytes { name in
                key.withUnsafeBytes { NonGenreSubjects.standard.isNoise(name, key: $0) }
            }
            #expect(!isNoise)
        }
    }

    @Test(arguments: [
        ("Science-Fiction", "science fiction"), ("Fiction,  Fantasy", "FICTION / fantasy"),
        ("A -- B", "a,b"),
        ("Mystery & Detective", "mystery and detective"), ("Women's", "womens"), ("Womenʼs", "womenʼs"),
        ("Tales.", "tales"), ("ﬁction", "fiction"), ("Cafe\u{301}", "café"), ("R&B", "r & b"),
    ])
    func `spellings with one meaning share a key`(a: String, b: String) {
        #expect(GenreKey.key(a) == GenreKey.key(b))
    }

    @Test(arguments: [
        ("mysteries", "mystery"), ("movies", "movie"), ("wolves", "wolf"), ("lives", "life"),
        ("slaves", "slave"),
        ("witches", "witch"), ("boxes", "box"), ("heroes", "hero"), ("shoes", "shoe"),
        ("ghosts", "ghost"),
        ("ghost stories", "ghost story"), ("fiction/women", "fiction/woman"), ("children", "child"),
        ("horses", "horse"), ("comics", "comic"),
    ])
    func `a singular form is found if there is one`(plural: String, singular: String) {
        #expect(Self.singulars(of: plural).contains(singular))
    }

    @Test(arguments: [
        "politics", "news", "mathematics", "classics", "series", "species", "business", "us", "chess",
        "analysis",
        "economics", "witness", "aids", "ss", "is",
    ])
    func `words that end in s without being plurals are kept`(word: String) {
        #expect(Self.singulars(of: word).isEmpty)
    }

    private static func singulars(of word: String) -> [String] {
        var forms: [String] = []
        var scratch: [UInt8] = []
        _ = Array(word.utf8).withUnsafeBytes { key in
            SingularForm.first(of: key, scratch: &scratch) { form -> Bool? in
                forms.append(String(decoding: form, as: UTF8.self))
                return nil
            }
        }
        return forms
    }
}
