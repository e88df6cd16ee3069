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
        /// Whether it is one word from the end of a title: too little to search for without the author.
        package var isWeak = false
    }

    /// Maximum number of titles, including the title itself.
    package static let most = 7

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
        guard let first = pieces.first, let last = pieces.last else { return }
        if pieces.count > 1 {
            shortest = write(bare[first.range])
            add(shortest)
        }
        addWithoutEnd(bare[first.range])
        guard pieces.count > 1, last.separator != .slash, last.separator != .semicolon else { return }
        var behind = write(bare[last.range])
        behind.isWeak = !hasSeveralWords(bare[last.range])
        add(behind)
    }

    /// Adds a title without the words at its end that name an edition or a volume.
    private mutating func addWithoutEnd(_ title: ArraySlice<UInt8>) {
        folded.removeAll(keepingCapacity: true)
        title.withUnsafeBytes { Folding.fold($0, into: &folded) }
        guard folded.withUnsafeBytes({ TitleEnd.isPossible(in: $0) }) else { return }
        let words = TitleWords.words(String(decoding: title, as: UTF8.self))
        guard let count = TitleEnd.kept(of: words) else { return }
        let rest = words[..<count].joined(separator: " ")
        shortest = write(rest.utf8)
        add(shortest)
    }

    /// Adds the title as a volume of the series that has its name: `Naruto 3`.
    package mutating func addVolume(_ number: Int) {
        guard let first = forms.first else { return }
        add(volume(number, of: first))
    }

    /// The shortest title as a volume: `Naruto 3` for `Naruto, Book 2`. It is not added.
    package mutating func volume(_ number: Int) -> Form { volume(number, of: shortest) }

    private mutating func volume(_ number: Int, of title: Form) -> Form {
        let start = texts.count
        texts.append(contentsOf: texts[title.text])
        texts.append(0x20)
        texts.append(digitsOf: Int64(number))
        return form(from: start)
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
