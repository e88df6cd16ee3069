import TestSupport
import Testing

@testable import Books
@testable import Sources

@Suite struct MistypedTitleTests {
    private func isFound(_ title: String, as asked: String, by family: String = "austen") -> Bool {
        var indexed: Set<Int64> = []
        let (title, asked, family) = (Array(title.utf8), Array(asked.utf8), Array(family.utf8))
        return family.withUnsafeBytes { family in
            title.withUnsafeBytes {
                MistypedTitle.forEachKey(ofIndexed: $0, by: family) { indexed.insert($0) }
            }
            return asked.withUnsafeBytes { asked in
                MistypedTitle.keys(ofAsked: asked, by: family).contains(where: indexed.contains)
            }
        }
    }

    @Test func `one error of any kind in any place leaves a key in common`() {
        for title in ["emma1", "persuasion", "nórthanger", "мастеримаргарита", "lefthandofdarkness"] {
            let letters = Array(title.unicodeScalars)
            func asked(_ change: (inout [Unicode.Scalar]) -> Void) -> String {
                var changed = letters
                change(&changed)
                return String(String.UnicodeScalarView(changed))
            }
            for place in letters.indices {
                #expect(isFound(title, as: asked { $0[place] = "z" }), "\(title) \(place) wrong")
                #expect(isFound(title, as: asked { $0.insert("z", at: place) }), "\(title) \(place) added")
                if letters.count > MistypedTitle.shortest {
                    #expect(isFound(title, as: asked { $0.remove(at: place) }), "\(title) \(place) missing")
                }
                if place > 0 {
                    #expect(
                        isFound(title, as: asked { $0.swapAt(place, place - 1) }), "\(title) \(place) swapped"
                    )
                }
            }
        }
    }

    @Test func `titles too short or too long have no keys`() {
        for title in ["", "emma", "год", String(repeating: "a", count: 300)] {
            #expect(!isFound(title, as: title))
        }
    }

    @Test(arguments: [
        ("Persuasion", "Persuation", true), ("Persuasion", "Persuaison", true),
        ("Persuasion", "Perusation", false),
        ("Emma", "Emna", false), ("Saga 2", "Saga 3", false), ("Cat", "Cats", false),
        ("The Lover", "The Lovers", false),
        ("Left Hand of Darkness", "Left Hamd of Darknes", false), ("Sapiens: A History", "Sapeins", true),
    ])
    func `one error in a word of five or more letters is certain, unless it makes a plural or a number`(
        title: String, mistyped: String, isOne: Bool
    ) {
        #expect((TypingError.parts(ParsedTitle(mistyped), ParsedTitle(title)) == .certain) == isOne)
    }
}
