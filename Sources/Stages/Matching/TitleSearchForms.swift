/// The forms under which a title is looked for where titles are found by their whole folded form alone.
enum TitleSearchForms {
    /// Further forms that are looked for at the most.
    private static let most = 10

    /// Forms beside the title itself, for when that finds nothing: without brackets, without what stands behind the
    /// first colon, the part behind the last one, with and without an article, `&` for `and`. None for
    /// a title that is too long to be taken apart.
    static func others(of title: String) -> [String] {
        guard title.utf8.count <= TitleForm.byteLimit else { return [] }
        let bare = TitleForm.withoutBrackets(title)
        let pieces = TitleForm.pieces(of: bare[...]).map(String.init)
        var forms = [bare]
        if let first = pieces.first, pieces.count > 1 { forms.append(first) }
        // One word is too little to stand for a title that it is the last part of.
        if pieces.count > 1, let last = pieces.last, TitleWords.words(last).count > 1 { forms.append(last) }
        for form in forms {
            let folded = Folding.fold(form)
            if folded.isEmpty { continue }
            let article = ["the ", "a ", "an "].first { folded.hasPrefix($0) }
            forms.append(article.map { String(folded.dropFirst($0.count)) } ?? "the \(folded)")
            // Most titles have neither, and searching a `String` for a part of it takes as long as all the rest.
            if form.utf8.contains(UInt8(ascii: "&")) { forms.append(form.replacing("&", with: " and ")) }
            let words = folded.utf8.split(separator: UInt8(ascii: " "))
            if words.contains(where: { $0.elementsEqual("and".utf8) }) {
                forms.append(folded.replacing(" and ", with: " "))
            }
        }
        var seen: Set<String> = [Folding.fold(title), ""]
        return Array(forms.filter { seen.insert(Folding.fold($0)).inserted }.prefix(most))
    }
}
