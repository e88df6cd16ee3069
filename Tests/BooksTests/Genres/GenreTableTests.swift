import Testing

@testable import Books

@Suite("The genre table is data that holds together")
struct GenreTableTests {
    @Test("Every canonical genre means itself")
    func `canonical genres mean themselves`() {
        #expect(GenreTable.standard.names.count == 76)
        for (number, name) in GenreTable.standard.names.enumerated() {
            let key = GenreKey.key(String(decoding: name, as: UTF8.self))
            #expect(key.withUnsafeBytes { GenreTable.standard.genre(forKey: $0) } == UInt8(number))
        }
    }

    @Test("No two lines claim the same spelling")
    func `spellings are unambiguous`() {
        var meaning: [[UInt8]: String] = [:]
        for line in String(decoding: PackageResources.genres_tsv, as: UTF8.self).split(separator: "\n")
        where !line.hasPrefix("#") {
            let fields = line.split(separator: "\t")
            for spelling in fields.dropFirst().flatMap({ $0.split(separator: ";") }) {
                let key = GenreKey.key(String(spelling))
                #expect(meaning[key, default: String(fields[0])] == String(fields[0]), "\(spelling)")
                meaning[key] = String(fields[0])
                #expect(key.withUnsafeBytes { GenreTable.standard.genre(forKey: $0) } != nil)
            }
        }
        #expect(meaning.count > 1_400)
    }

    @Test("No genre of the map is noise")
    func `noise names no genre`() {
        for name in GenreTable.standard.names {
            let key = GenreKey.key(String(decoding: name, as: UTF8.self))
            let isNoise = name.withUnsafeBytes { name in
                key.withUnsafeBytes { GenreNoise.standard.names(name, key: $0) }
            }
            #expect(!isNoise)
        }
    }

    @Test(
        "Spellings that mean the same share a key",
        arguments: [
            ("Science-Fiction", "science fiction"), ("Fiction,  Fantasy", "FICTION / fantasy"),
            ("A -- B", "a,b"),
            ("Mystery & Detective", "mystery and detective"), ("Women's", "womens"), ("Womenʼs", "womenʼs"),
            ("Tales.", "tales"), ("ﬁction", "fiction"), ("Cafe\u{301}", "café"), ("R&B", "r & b"),
        ])
    func `shares keys`(a: String, b: String) {
        #expect(GenreKey.key(a) == GenreKey.key(b))
    }

    @Test(
        "A singular form is found where there is one",
        arguments: [
            ("mysteries", "mystery"), ("movies", "movie"), ("wolves", "wolf"), ("lives", "life"),
            ("slaves", "slave"),
            ("witches", "witch"), ("boxes", "box"), ("heroes", "hero"), ("shoes", "shoe"),
            ("ghosts", "ghost"),
            ("ghost stories", "ghost story"), ("fiction/women", "fiction/woman"), ("children", "child"),
            ("horses", "horse"), ("comics", "comic"),
        ])
    func `finds singulars`(plural: String, singular: String) {
        #expect(Self.singulars(of: plural).contains(singular))
    }

    @Test(
        "Words that keep their s keep it",
        arguments: [
            "politics", "news", "mathematics", "classics", "series", "species", "business", "us", "chess",
            "analysis",
            "economics", "witness", "aids", "ss", "is",
        ])
    func `keeps the s`(word: String) {
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
