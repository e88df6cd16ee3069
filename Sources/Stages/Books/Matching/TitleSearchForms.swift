import Bytes

/// The forms under which a title is looked up in a catalog, which finds titles only by their whole folded
/// form: first the title itself, then variants if that finds nothing.
///
/// Computed for every title a catalog does not know by ISBN, so it works on bytes in reused buffers.
struct TitleSearchForms {
    /// A form, as spelled and as folded.
    struct Form {
        fileprivate var text: Range<Int>
        fileprivate var folded: Range<Int>

        fileprivate static let none = Form(text: 0..<0, folded: 0..<0)
    }

    /// Maximum number of forms in addition to the title itself.
    static let most = 10

    /// The title itself, then other forms. No two are equal when folded.
    private(set) var forms: [Form] = []
    /// All forms as spelled, one after the other.
    private var texts: [UInt8] = []
    /// All forms folded, including duplicates.
    private var folded: [UInt8] = []
    /// The title without brackets.
    private var bare: [UInt8] = []

    /// The spelling of a form.
    func text(_ form: Form) -> String { String(decoding: texts[form.text], as: UTF8.self) }

    /// Calls `body` with the folded form, which is empty if nothing of it folds.
    func withFolded<Result>(_ form: Form, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        folded.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[form.folded])) }
    }

    /// Whether signs after a one-letter word may distinguish the form from titles that fold to the same text
    /// (``KeyNormalizer``). True if the form has such signs, or a one-letter word other than a vowel; vowels
    /// are words of their own in many languages.
    func maySignsDiffer(_ form: Form) -> Bool {
        if texts[form.text].contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }) {
            return true
        }
        return countWords(form) { $0.count == 1 && $0[0].isLetter && !Self.vowels.contains($0[0]) } > 0
    }

    private static let vowels = Array("aeiouy".utf8)

    /// Starts with a title as the only form.
    mutating func begin(_ title: UnsafeRawBufferPointer) {
        forms.removeAll(keepingCapacity: true)
        texts.removeAll(keepingCapacity: true)
        folded.removeAll(keepingCapacity: true)
        forms.append(write(title))
    }

    /// Adds the other forms: without brackets, only the part before the first colon, only the part after the
    /// last one, with and without article, `&` as `and`. Adds nothing for titles too long to be parsed.
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
            // One word is too little to search for if it is only the last part of a title.
            if !hasSeveralWords(heads[2]) { heads[2] = .none }
        }
        for index in heads.indices { add(heads[index]) }
        for index in heads.indices where !heads[index].folded.isEmpty { addVariants(of: heads[index]) }
    }

    // MARK: Variants

    private mutating func addVariants(of head: Form) {
        addWithOtherArticle(head)
        // Most titles have neither.
        if texts[head.text].contains(UInt8(ascii: "&")) { addSpellingAnd(head) }
        if countWords(head, where: { $0.elementsEqual("and".utf8) }) > 0 { addWithoutAnd(head) }
    }

    /// The form without its leading article, or with `the` if it has none.
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

    /// Adds a form, unless it is empty or an equal folded form exists.
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

    /// The form of the text written last, from an offset in ``texts``.
    private mutating func form(from start: Int) -> Form {
        let foldedStart = folded.count
        texts.withUnsafeBytes { Folding.fold(UnsafeRawBufferPointer(rebasing: $0[start...]), into: &folded) }
        return Form(text: start..<texts.count, folded: foldedStart..<folded.count)
    }

    /// Whether a form has more than one word, not counting "and".
    private func hasSeveralWords(_ form: Form) -> Bool { countWords(form) { !TitleWords.joins($0) } > 1 }

    private func countWords(_ form: Form, where counts: (UnsafeRawBufferPointer) -> Bool) -> Int {
        withFolded(form) { folded in
            TableLine.Pieces(rest: folded, separator: 0x20).count(where: counts)
        }
    }
}
