import TestSupport
import Testing

@testable import Books
@testable import Bytes

@Suite struct TitleFormTests {
    private func form(_ title: String) -> String {
        Array(title.utf8).withUnsafeBytes { title in
            FoldedHash.withForm(title) { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test(arguments: [
        ["The Hobbit", "Hobbit, The", "HOBBIT", "a hobbit"],
        ["Nineteen Eighty-Four", "1984", "Nineteen Eighty Four"],
        ["Catch-22", "Catch 22", "Catch Twenty-Two"],
        ["Animal Farm & 1984", "Animal Farm and Nineteen Eighty-Four"],
        ["The Colour of Magic", "The Color of Magic"],
        ["Saga, Vol. 2", "Saga, Volume 02", "Saga II", "Saga #2", "Saga: Book Two", "Saga, Tome 2"],
        ["One Hundred and One Dalmatians", "101 Dalmatians"],
        ["Twenty Thousand Leagues Under the Sea", "20,000 Leagues under the Sea"],
        ["The Thousand Splendid Suns", "1000 Splendid Suns"],
        ["The Wind-Up Bird Chronicle", "The Windup Bird Chronicle"],
        ["Der Prozeß", "Der Prozess"], ["Die drei Musketiere", "Die 3 Musketiere"],
        ["Neighbours", "Neighbors"], ["The Theatre", "Theater"], ["Organise Tomorrow", "Organize Tomorrow"],
        ["The Traveller's Gift", "The Traveler's Gift"], ["Grey Dawn", "Gray Dawn"],
    ])
    func `spellings of one title have one form`(titles: [String]) {
        #expect(Set(titles.map(form)).count == 1, "\(titles.map(form))")
    }

    @Test(arguments: [
        ["Dune", "Dune Messiah"], ["Saga 2", "Saga 3"], ["Four", "For"], ["Hour", "Hor"],
        ["Second Sight", "2 Sight"],
        ["Book of Three", "3"], ["The Volume", "Vol. 2"], ["The Wise", "The Wide"],
        ["Malcolm X", "Malcolm 10"],
    ])
    func `different titles have different forms`(titles: [String]) {
        #expect(Set(titles.map(form)).count == titles.count, "\(titles.map(form))")
    }

    @Test(arguments: [
        "", "!", "the", "and", "The And", "Vol.", "hundred", "thousand", "two thousand and", "#", "ii",
    ])
    func `any text has a form, and a text that folds has a form that is not empty`(title: String) {
        #expect(form(title).isEmpty == Folding.fold(title).isEmpty)
    }

    @Test func `a title of thousands of words keeps them all`() {
        let words = (0..<5_000).map { "word\($0)" }
        #expect(form(words.joined(separator: " ")) == words.joined())
    }
}
