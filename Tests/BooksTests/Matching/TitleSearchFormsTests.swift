import TestSupport
import Testing

@testable import Books
@testable import Bytes

@Suite struct TitleSearchFormsTests {
    /// The forms without the title itself.
    static func others(of title: String) -> [String] {
        var forms = TitleSearchForms()
        Array(title.utf8).withUnsafeBytes { forms.begin($0) }
        forms.addOthers()
        return forms.forms.dropFirst().map { forms.text($0) }
    }

    @Test func `other forms are few, distinct and differ from the title`() {
        let forms = Self.others(of: "The Lord of the Rings: The Two Towers (Part 2)")
        #expect(
            forms.map(Folding.fold) == [
                "the lord of the rings the two towers", "the lord of the rings", "the two towers",
                "lord of the rings the two towers", "lord of the rings", "two towers",
            ])
        #expect(forms.count <= 10 && Set(forms.map(Folding.fold)).count == forms.count)
        #expect(Self.others(of: "Hobbit") == ["the hobbit"])
        #expect(Self.others(of: "").isEmpty)
    }

    @Test func `forms are folded for searching, and the title comes first`() {
        var forms = TitleSearchForms()
        for title in ["Émile, or On Education (1762)", "!", "", "A – B"] {
            Array(title.utf8).withUnsafeBytes { forms.begin($0) }
            #expect(forms.forms.count == 1 && forms.text(forms.forms[0]) == title)
            forms.addOthers()
            for form in forms.forms {
                let folded = forms.withFolded(form) { String(decoding: $0, as: UTF8.self) }
                #expect(folded == Folding.fold(forms.text(form)))
            }
        }
    }

    @Test func `a title as long as a book has no other forms`() {
        #expect(Self.others(of: String(repeating: "a & b: ", count: 1 << 17)).isEmpty)
    }

    @Test(arguments: [
        "", " ", ":", "(", "()", ") (", "[(", "((((", ": ;", " - ", "&", "and", " and ", "and and", "the",
        "the the",
        "The : The", "(and)", "a: b: c", "a, or b", "a,or b", "a - b – c — d / e",
        "Sense & Sensibility & Sons",
        "x and and y", "And", "& (&) &", "日本語: 漢字", "Ω and Ω", "Straße (Łódź): Don’t", "a\u{301}: e\u{308}",
        "One [Two (Three] Four)", "Und: Et And", "Title: the",
    ]) func `forms equal those of the reference implementation`(title: String) {
        #expect(Self.others(of: title) == PlainForms.others(of: title))
    }

    @Test func `forms of random titles equal those of the reference implementation`() {
        var random = SeededGenerator(seed: 23)
        let pieces = [
            "the ", "The ", "a ", "an ", "and", " and ", "And ", "&", " & ", "(", ")", "[", "]", ":", ": ",
            ";",
            ", or ", " - ", " / ", " – ", " — ", ",", "'", "’", "!", " ", "  ", "und", "et ", "or", "sea",
            "Sea ",
            "é", "ß", "Œuvre", "漢", "жизнь ", "½", "7", "🙂", "\u{0}",
        ]
        for _ in 0..<4_000 {
            let title = (0..<Int.random(in: 0...9, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            #expect(Self.others(of: title) == PlainForms.others(of: title), "\(title.debugDescription)")
        }
    }
}

/// A simple reference implementation with strings.
private enum PlainForms {
    static func others(of title: String) -> [String] {
        let bare = withoutBrackets(title)
        let pieces = pieces(of: bare)
        var forms = [bare]
        if let first = pieces.first, let last = pieces.last, pieces.count > 1 {
            forms.append(first)
            if TitleWords.words(last).count > 1 { forms.append(last) }
        }
        for form in forms {
            let folded = Folding.fold(form)
            if folded.isEmpty { continue }
            let article = ["the ", "a ", "an "].first { folded.hasPrefix($0) }
            forms.append(article.map { String(folded.dropFirst($0.count)) } ?? "the \(folded)")
            forms.append(form.replacing("&", with: " and "))
            forms.append(folded.replacing(" and ", with: " "))
        }
        var seen: Set<String> = [Folding.fold(title), ""]
        return Array(forms.filter { seen.insert(Folding.fold($0)).inserted }.prefix(TitleSearchForms.most))
    }

    private static func withoutBrackets(_ title: String) -> String {
        var rest = title
        while let open = rest.lastIndex(where: { "([".contains($0) }) {
            let close = rest[open...].firstIndex { ")]".contains($0) }
            let around = rest[..<open] + (close.map { rest[rest.index(after: $0)...] } ?? "")
            guard around.contains(where: isDistinctive) else { break }
            rest = String(around)
        }
        return rest
    }

    private static func pieces(of title: String) -> [String] {
        var pieces = [""]
        var rest = title[...]
        while let letter = rest.first {
            if let separator = [":", ";", ", or ", " - ", " / ", " – ", " — "].first(where: rest.hasPrefix) {
                pieces.append("")
                rest = rest.dropFirst(separator == ", or " ? 1 : separator.count)
            } else {
                pieces[pieces.count - 1].append(letter)
                rest = rest.dropFirst()
            }
        }
        return pieces.filter { $0.contains(where: isDistinctive) }
    }

    private static func isDistinctive(_ letter: Character) -> Bool {
        !letter.isASCII || letter.isLetter || letter.isNumber
    }
}
