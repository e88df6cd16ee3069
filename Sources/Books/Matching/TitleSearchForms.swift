import Bytes

/// The titles under which a row's book is looked up in a catalog, which finds titles only by their whole form
/// (``TitleForm``): the title itself, without brackets, up to the first separator, and behind the last one.
///
/// Computed for every title a catalog does not know by ISBN, so it works on bytes in reused buffers.
package struct TitleSearchForms {
    /// A title, as spelled and in its form.
    package struct Form {
        fileprivate var text: Range<Int>
        fileprivate var form: Range<Int>
    }

    /// Maximum number of titles, including the title itself.
    package static let most = 5

    /// Without titles.
    package init() {}

    /// The title itself, then others. No two have the same form.
    package private(set) var forms: [Form] = []
    /// All titles as spelled, one after the other.
    private var texts: [UInt8] = []
    /// All forms, including duplicates.
    private var bytes: [UInt8] = []
    private var folded: [UInt8] = []
    /// The title without brackets.
    private var bare: [UInt8] = []

    /// The title up to the first separator, without brackets.
    package private(set) var shortest = Form(text: 0..<0, form: 0..<0)

    /// The spelling of a title.
    package func text(_ form: Form) -> String { String(decoding: texts[form.text], as: UTF8.self) }

    /// Calls `body` with the form, which is empty if nothing of the title folds.
    package func withForm<Result>(_ form: Form, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[form.form])) }
    }

    /// Starts with a title as the only form.
    package mutating func begin(_ title: UnsafeRawBufferPointer) {
        forms.removeAll(keepingCapacity: true)
        texts.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        shortest = write(title[TitleSegments.withoutMovedArticle(title.indices, of: title)])
        forms.append(shortest)
    }

    /// Adds the others. Adds nothing for titles too long to be parsed.
    package mutating func addOthers() {
        guard forms[0].text.count <= ParsedTitle.byteLimit else { return }
        bare.removeAll(keepingCapacity: true)
        bare.append(contentsOf: texts[forms[0].text])
        TitleSegments.takeOutBrackets(of: &bare)
        let pieces = TitleSegments.pieces(of: bare)
        if bare.count < forms[0].text.count {
            shortest = write(pieces.count == 1 ? bare[pieces[0].range] : bare[...])
            add(shortest)
        }
        guard pieces.count > 1, let first = pieces.first, let last = pieces.last else { return }
        shortest = write(bare[first.range])
        add(shortest)
        // One word is too little to search for if it is only the last part of a title.
        if last.separator != .slash, hasSeveralWords(bare[last.range]) { add(write(bare[last.range])) }
    }

    /// Adds the title as a volume of the series that has its name: `Naruto 3`.
    package mutating func addVolume(_ number: Int) {
        guard let first = forms.first else { return }
        let start = texts.count
        texts.append(contentsOf: texts[first.text])
        texts.append(0x20)
        texts.append(digitsOf: Int64(number))
        add(form(from: start))
    }

    // MARK: Writing

    /// Adds a title, unless its form is empty or exists.
    private mutating func add(_ form: Form) {
        guard !form.form.isEmpty, forms.count < Self.most else { return }
        let isKnown = bytes.withUnsafeBytes { bytes in
            let wanted = UnsafeRawBufferPointer(rebasing: bytes[form.form])
            return forms.contains {
                UnsafeRawBufferPointer(rebasing: bytes[$0.form]).hasSameBytes(as: wanted)
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
        folded.removeAll(keepingCapacity: true)
        texts.withUnsafeBytes { Folding.fold(UnsafeRawBufferPointer(rebasing: $0[start...]), into: &folded) }
        let formStart = bytes.count
        folded.withUnsafeBytes { TitleForm.append($0, to: &bytes) }
        return Form(text: start..<texts.count, form: formStart..<bytes.count)
    }

    /// Whether a text has more than one word, not counting "and".
    private mutating func hasSeveralWords(_ text: ArraySlice<UInt8>) -> Bool {
        folded.removeAll(keepingCapacity: true)
        text.withUnsafeBytes { Folding.fold($0, into: &folded) }
        return folded.withUnsafeBytes { folded in
            TableLine.Pieces(rest: folded, separator: 0x20).count { !TitleWords.joins($0) } > 1
        }
    }
}
