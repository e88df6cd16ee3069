import Bytes

/// The forms under which a title is looked for where titles are found by their whole folded form alone: first the title
/// as it stands, and when that finds nothing, others.
///
/// Made for each title that a catalog does not know by an ISBN, so on bytes, in buffers that are used again.
struct TitleSearchForms {
    /// A form, as it is spelled and as it is looked for.
    struct Form {
        fileprivate var text: Range<Int>
        fileprivate var folded: Range<Int>

        fileprivate static let none = Form(text: 0..<0, folded: 0..<0)
    }

    /// Further forms that are looked for at the most.
    static let most = 10

    /// The title itself, then others, no two alike when folded.
    private(set) var forms: [Form] = []
    /// All forms as they are spelled, one after the other.
    private var texts: [UInt8] = []
    /// All forms folded, and those that were alike.
    private var folded: [UInt8] = []
    /// The title without brackets.
    private var bare: [UInt8] = []

    /// A form's spelling.
    func text(_ form: Form) -> String { String(decoding: texts[form.text], as: UTF8.self) }

    /// Lends a form folded; empty where nothing of it is left.
    func withFolded<Result>(_ form: Form, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        folded.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[form.folded])) }
    }

    /// Whether signs behind a word of one letter may tell a form from a title that folds alike (``KeyNormalizer``): it has
    /// signs, or such a word that is no mere vowel, which is a word of its own in many languages.
    func maySignsDiffer(_ form: Form) -> Bool {
        if texts[form.text].contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }) {
            return true
        }
        return countWords(form) { $0.count == 1 && $0[0].isLetter && !Self.vowels.contains($0[0]) } > 0
    }

    private static let vowels = Array("aeiouy".utf8)

    /// Begins with a title: it is the one form there is.
    mutating func begin(_ title: UnsafeRawBufferPointer) {
        forms.removeAll(keepingCapacity: true)
        texts.removeAll(keepingCapacity: true)
        folded.removeAll(keepingCapacity: true)
        forms.append(write(title))
    }

    /// Adds the other forms: without brackets, without what stands behind the first colon, the part behind the last
    /// one, with and without an article, `&` for `and`. None of a title that is too long to be taken apart.
    mutating func addOthers() {
        guard texts.count <= ParsedTitle.byteLimit else { return }
        bare.removeAll(keepingCapacity: true)
        bare.append(contentsOf: texts)
        TitleSegments.takeOutBrackets(of: &bare)
        let pieces = TitleSegments.pieces(of: bare)
        var heads: [3 of Form] = [write(bare[...]), .none, .none]
        if pieces.count > 1, let first = pieces.first, let last = pieces.last {
            heads[1] = write(bare[first])
            heads[2] = write(bare[last])
            // One word is too little to stand for a title that it is the last part of.
            if !saysMore(heads[2]) { heads[2] = .none }
        }
        for index in heads.indices { add(heads[index]) }
        for index in heads.indices where !heads[index].folded.isEmpty { addVariants(of: heads[index]) }
    }

    // MARK: Variants

    private mutating func addVariants(of head: Form) {
        addWithOtherArticle(head)
        // Most titles have neither of the two.
        if texts[head.text].contains(UInt8(ascii: "&")) { addSpellingAnd(head) }
        if countWords(head, where: { $0.elementsEqual("and".utf8) }) > 0 { addWithoutAnd(head) }
    }

    /// Without the article that a form begins with, or with one.
    private mutating func addWithOtherArticle(_ head: Form) {
        let article = folded[head.folded].prefix(4)
        let length = ["the ", "a ", "an "].first { article.starts(with: $0.utf8) }?.utf8.count
        let start = texts.count
        if length == nil { texts.append(contentsOf: "the ".utf8) }
        texts.append(contentsOf: folded[head.folded.dropFirst(length ?? 0)])
        add(form(from: start))
    }

    private mutating func addSpellingAnd(_ head: Form) {
        let start = texts.count
        for place in head.text {
            let byte = texts[place]
            if byte == UInt8(ascii: "&") {
                texts.append(contentsOf: " and ".utf8)
            } else {
                texts.append(byte)
            }
        }
        add(form(from: start))
    }

    private mutating func addWithoutAnd(_ head: Form) {
        let joint = " and ".utf8
        let start = texts.count
        var place = head.folded.lowerBound
        while place < head.folded.upperBound {
            texts.append(folded[place])
            place += folded[place..<head.folded.upperBound].starts(with: joint) ? joint.count : 1
        }
        add(form(from: start))
    }

    // MARK: Writing

    /// Adds a form, unless it is empty or one is there that folds alike.
    private mutating func add(_ form: Form) {
        guard !form.folded.isEmpty, forms.count <= Self.most else { return }
        let isKnown = folded.withUnsafeBytes { bytes in
            let wanted = UnsafeRawBufferPointer(rebasing: bytes[form.folded])
            return forms.contains {
                UnsafeRawBufferPointer(rebasing: bytes[$0.folded]).hasSameBytes(as: wanted)
            }
        }
        if !isKnown { forms.append(form) }
    }

    private mutating func write(_ text: some Collection<UInt8>) -> Form {
        let start = texts.count
        texts.append(contentsOf: text)
        return form(from: start)
    }

    /// What has been written last, from a place in ``texts`` on.
    private mutating func form(from start: Int) -> Form {
        let foldedStart = folded.count
        texts.withUnsafeBytes { Folding.fold(UnsafeRawBufferPointer(rebasing: $0[start...]), into: &folded) }
        return Form(text: start..<texts.count, folded: foldedStart..<folded.count)
    }

    /// Whether a form has more than one word, words that join others left out.
    private func saysMore(_ form: Form) -> Bool { countWords(form) { !TitleWords.joins($0) } > 1 }

    private func countWords(_ form: Form, where counts: (UnsafeRawBufferPointer) -> Bool) -> Int {
        withFolded(form) { folded in
            TableLine.Pieces(rest: folded, separator: 0x20).count(where: counts)
        }
    }
}
