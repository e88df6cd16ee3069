import Bytes

/// Finds the genres in a provider's subject: splits compounds, maps each part, and tells genres from topics.
///
/// The meaning of a part depends on the others. `Football -- Fiction` is fiction and no book about sports;
/// `Science fiction -- History and criticism` is criticism and no science fiction. The result depends only on
/// the subject. A normalizer has its own buffers, so each worker uses its own.
package struct GenreNormalizer {
    /// Meaning of a part of a subject.
    package struct Outcome: Hashable {
        /// Certainty with which a part names a genre.
        package enum Sign: UInt8 {
            /// It names a genre.
            case genre
            /// It hints at a genre: it counts only with a second sign (``GenreSelection``).
            case hint
            /// A topic, or a word that the table does not have.
            case topic
        }

        package var sign: Sign
        /// The canonical genre; nil for a topic, and for a genre that keeps the provider's spelling.
        package var genre: GenreTable.Genre?
        /// Whether it says that the book is a work of fiction.
        package var isFiction = false
        /// Offset of the trimmed part in the subject.
        package var start: UInt32
        package var length: UInt32
        /// Hash of the part's key: equal for spellings that differ only in case.
        package var hash: UInt64

        /// A book keeps only one of several outcomes with equal identities. Two different spellings share a
        /// hash with a probability of 2⁻⁶⁴.
        package var identity: Identity { Identity(genre: genre, hash: genre == nil ? hash : 0) }

        /// Key under which a genre is counted: the canonical genre, or the hash of the provider's spelling.
        package struct Identity: Hashable {
            package var genre: GenreTable.Genre?
            package var hash: UInt64
        }
    }

    package let table: GenreTable
    private let noise: NonGenreSubjects
    private var parts = SubjectParts()
    private var tag: TagParts
    private var findings: [TagParts.Finding] = []
    private var resolved: [Part] = []
    private var key: [UInt8] = []
    private var scratch: [UInt8] = []

    package init(table: GenreTable = .standard, noise: NonGenreSubjects = .standard) {
        self.table = table
        self.noise = noise
        tag = TagParts(table: table)
    }

    /// Appends what the parts of one subject say, in order of appearance. Noise adds nothing.
    package mutating func normalize(_ subject: UnsafeRawBufferPointer, into outcomes: inout [Outcome]) {
        if let heading = SubjectCodes.bisacHeading(of: subject) {
            return normalize(heading, ofCode: subject, into: &outcomes)
        }
        resolveParts(of: subject)
        if !findings.isEmpty, let range = parts.ranges.first { return emit(findings, range, into: &outcomes) }
        let context = context
        for index in resolved.indices { emit(index, context, into: &outcomes) }
    }

    /// Appends the genres of a code's heading. Their place in the subject is the code.
    private mutating func normalize(
        _ heading: String, ofCode subject: UnsafeRawBufferPointer, into outcomes: inout [Outcome]
    ) {
        let first = outcomes.count
        Array(heading.utf8).withUnsafeBytes { normalize($0, into: &outcomes) }
        let named = outcomes[first...].filter { $0.genre != nil }
        outcomes.removeSubrange(first...)
        for var outcome in named {
            (outcome.start, outcome.length) = (0, UInt32(subject.count))
            outcomes.append(outcome)
        }
    }

    /// Finds the parts of a subject and their meanings, or the ``findings`` of a tag; neither if it is noise.
    private mutating func resolveParts(of subject: UnsafeRawBufferPointer) {
        resolved.removeAll(keepingCapacity: true)
        findings.removeAll(keepingCapacity: true)
        var whole = SubjectParts.trimmed(0..<subject.count, of: subject)
        guard !whole.isEmpty else { return }
        let stripped = noise.strippedPrefixLength(UnsafeRawBufferPointer(rebasing: subject[whole]))
        whole = SubjectParts.trimmed(whole.lowerBound + stripped..<whole.upperBound, of: subject)
        // A list's tag can contain separators, so it is checked for noise before it is split.
        if subject[whole].contains(UInt8(ascii: ":")), isTag(subject, whole) { return }
        if !splitQualifier(subject, whole) { parts.split(subject, whole) }
        findings = tagFindings(subject)
        if findings.isEmpty { for index in parts.ranges.indices { resolve(subject, index) } }
    }

    /// The places of the topics of one subject, in order of appearance: what the book is about, whether or not the
    /// parts beside it make a genre of it. `Magic -- Fiction` has the topic `Magic`.
    package mutating func topics(of subject: UnsafeRawBufferPointer) -> [Range<Int>] {
        if SubjectCodes.bisacHeading(of: subject) != nil { return [] }
        resolveParts(of: subject)
        let context = context
        return resolved.indices.filter { isTopic($0, context) }.map { resolved[$0].range }
    }

    private func isTopic(_ index: Int, _ context: Context) -> Bool {
        let part = resolved[index]
        if part.isFictionForm || part.isNonfictionForm { return false }
        // BISAC's divisions of fiction are genres, except for the words that the table knows as topics.
        if part.joined != nil, context != .criticism { return part.meaning == .topic }
        if index == 0, context == .nonfiction, part.isHead { return false }
        if index > 0, part.meaning != nil, part.isForm { return false }
        if index > 0, context == .nonfiction || context == .criticism, part.isDivision { return false }
        return switch part.meaning {
        case .hint, .topic, nil: true
        // `Football -- Fiction` is about football.
        case .genre(let genre): context == .fiction && table.side(of: genre) == .nonfiction
        case .ownSpelling: false
        }
    }

    /// Appends the outcomes of a shelf's name.
    package mutating func normalize(shelf: UnsafeRawBufferPointer, into outcomes: inout [Outcome]) {
        let range = SubjectParts.trimmed(0..<shelf.count, of: shelf)
        if splitQualifier(shelf, range) { return normalize(shelf, into: &outcomes) }
        makeKey(shelf, range)
        resolved.removeAll(keepingCapacity: true)
        let meaning = key.withUnsafeBytes { table.meaning(of: $0, scratch: &scratch) }
        // Shelves have any names, so only genres with a canonical one count.
        guard meaning != .ownSpelling, meaning != nil || !isNoise(shelf, range) else { return }
        if meaning == nil {
            let findings = key.withUnsafeBytes { tag.findings(in: $0, isMistyped: true) }
            if !findings.isEmpty { return emit(findings, range, into: &outcomes) }
        }
        resolved.append(part(range, meaning: meaning))
        emit(0, .none, into: &outcomes)
    }

    /// Appends the genres of a user's tag.
    private func emit(_ findings: [TagParts.Finding], _ range: Range<Int>, into outcomes: inout [Outcome]) {
        for finding in findings {
            var outcome = Outcome(
                sign: finding.sign, genre: finding.genre, start: UInt32(range.lowerBound),
                length: UInt32(range.count), hash: finding.hash)
            outcome.isFiction = finding.sign == .genre && finding.genre == table.fiction
            outcomes.append(outcome)
        }
    }

    /// The genres of the only part of a subject if it is a tag, as users write them, that the table lacks as a whole:
    /// several words joined by hyphens, or one word.
    private mutating func tagFindings(_ subject: UnsafeRawBufferPointer) -> [TagParts.Finding] {
        guard parts.ranges.count == 1, let range = parts.ranges.first else { return [] }
        let text = UnsafeRawBufferPointer(rebasing: subject[range])
        // Brackets change the meaning: `(Fiction)`.
        let isPlain = !text.contains { $0 <= 0x20 || $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "[") }
        guard isPlain, meaning(subject, range) == nil, !isNoise(subject, range) else { return [] }
        let isTag = GenreForm.isTag(text)
        return key.withUnsafeBytes { tag.findings(in: $0, isMistyped: isTag) }
    }

    // MARK: Parts

    /// Splits a subject that ends with a qualifier into ``parts``: `Thrillers (Fiction)`, `Fiction (Thrillers,
    /// Suspense)`, `Romance (Literary genre)`, `Magic, fiction`. A qualifier that says neither that the book is
    /// fiction nor a genre beside the one before it gives the words another meaning: `Mystery (Theology)`.
    ///
    /// - Returns: False if there is no such qualifier. Then the parts are unchanged.
    private mutating func splitQualifier(_ subject: UnsafeRawBufferPointer, _ whole: Range<Int>) -> Bool {
        guard whole.count <= SubjectParts.longestCompound,
            let (head, inside) = SubjectParts.qualifier(of: subject, whole)
        else { return false }
        let isBracketed = inside.upperBound < whole.upperBound
        makeKey(subject, inside)
        guard isBracketed || isFictionForm, meaning(subject, whole) == nil else { return false }
        let first = meaning(subject, head)
        let isHeadForm = isFictionForm
        let second = meaning(subject, inside)
        let isEmpty = key.withUnsafeBytes { noise.isQualifier($0) }
        guard isEmpty || isFictionForm || isHeadForm || haveOneSide(first, second) else { return false }
        parts.split(subject, head)
        if !isEmpty { parts.append(subject, inside, splittingCommas: isHeadForm) }
        return true
    }

    private func haveOneSide(_ first: GenreTable.Meaning?, _ second: GenreTable.Meaning?) -> Bool {
        guard case .genre(let first) = first, case .genre(let second) = second else { return false }
        return table.side(of: first) == table.side(of: second) && table.side(of: first) != .either
    }

    private mutating func meaning(
        _ subject: UnsafeRawBufferPointer, _ range: Range<Int>
    ) -> GenreTable.Meaning? {
        makeKey(subject, range)
        return key.withUnsafeBytes { table.meaning(of: $0, scratch: &scratch) }
    }

    /// A part and its own meaning.
    private struct Part {
        var range: Range<Int>
        var hash: UInt64
        var meaning: GenreTable.Meaning?
        /// The genre of this part together with those before it, as in `Fiction / Friendship`.
        var joined: GenreTable.Genre?
        /// The genre of fiction that it hints at.
        var fictionHint: GenreTable.Genre?
        /// `Fiction`, `Juvenile fiction`: what the book is, not what it is about.
        var isFictionForm: Bool
        var endsInFiction: Bool
        var isNonfictionForm: Bool
        var isDivision: Bool
        var isForm: Bool
        var isHead: Bool

        var genre: GenreTable.Genre? { if case .genre(let genre) = meaning { genre } else { nil } }
    }

    /// Context for reading the parts of a compound.
    private enum Context {
        /// Each part for itself.
        case none
        /// A work of fiction: its other parts are genres of fiction, or topics.
        case fiction
        /// A book about a field: its other parts divide the field.
        case nonfiction
        /// Criticism: its other parts are what it is about.
        case criticism
    }

    private mutating func resolve(_ subject: UnsafeRawBufferPointer, _ index: Int) {
        let range = parts.ranges[index]
        makeKey(subject, range)
        guard key.contains(where: { $0 != UInt8(ascii: "/") }) else { return }
        let meaning = meaning(isTag: GenreForm.isTag(UnsafeRawBufferPointer(rebasing: subject[range])))
        let isNoise = meaning == nil && isNoise(subject, range)
        var part = part(range, meaning: meaning)
        if index > 0 {
            part.fictionHint = key.withUnsafeBytes { table.hintInFiction(of: $0, scratch: &scratch) }
            part.joined = joined(subject, index)
        } else if parts.ranges.count > 1 {
            part.fictionHint = key.withUnsafeBytes { table.hintInFiction(of: $0, scratch: &scratch) }
        }
        if !isNoise || part.joined != nil { resolved.append(part) }
    }

    /// A part with the current ``key``.
    private func part(_ range: Range<Int>, meaning: GenreTable.Meaning?) -> Part {
        key.withUnsafeBytes { key in
            Part(
                range: range, hash: KeyHash.hash(key), meaning: meaning,
                isFictionForm: Self.isFictionForm(key),
                endsInFiction: "fiction" == key || key.ends(with: " fiction"),
                isNonfictionForm: key.ends(with: "nonfiction"), isDivision: noise.isDivision(key),
                isForm: noise.isForm(key),
                isHead: BISACHeads.contains(key))
        }
    }

    /// Whether ``key`` says that the book is fiction.
    private var isFictionForm: Bool { key.withUnsafeBytes { Self.isFictionForm($0) } }

    private static func isFictionForm(_ key: UnsafeRawBufferPointer) -> Bool {
        fictionForms.contains { $0 == key }
    }

    private static let fictionForms: [StaticString] = ["fiction", "juvenile fiction", "young adult fiction"]

    /// The meaning of ``key``. A genre of several words may have others before it: `Feminist science fiction`. A
    /// user's tag, such as `family-drama`, is a genre only if the table has it.
    private mutating func meaning(isTag: Bool) -> GenreTable.Meaning? {
        key.withUnsafeBytes { key in
            if let meaning = table.meaning(of: key, scratch: &scratch) { return meaning }
            guard GenreForm.isGenre(key) else { return nil }
            for (index, byte) in key.enumerated() where byte == 0x20 {
                let rest = UnsafeRawBufferPointer(rebasing: key[(index + 1)...])
                guard rest.contains(0x20) else { break }
                if let genre = table.genre(of: rest) { return .genre(genre) }
            }
            return isTag ? nil : .ownSpelling
        }
    }

    /// The genre of the longest text that ends with a part and begins with one of the three before it. The
    /// headings of fiction for the young have the same divisions as `Fiction`.
    private mutating func joined(_ subject: UnsafeRawBufferPointer, _ index: Int) -> GenreTable.Genre? {
        for first in max(0, index - 3)..<index {
            makeKey(subject, parts.ranges[first].lowerBound..<parts.ranges[index].upperBound)
            if let genre = key.withUnsafeBytes({ table.genre(of: $0) }) { return genre }
            guard first == 0, resolved.first?.isFictionForm == true else { continue }
            makeKey(subject, parts.ranges[1].lowerBound..<parts.ranges[index].upperBound)
            key.insert(contentsOf: "fiction/".utf8, at: 0)
            if let genre = key.withUnsafeBytes({ table.genre(of: $0) }) { return genre }
        }
        return nil
    }

    // MARK: Context

    private var context: Context {
        guard resolved.count > 1, let first = resolved.first, let last = resolved.last else { return .none }
        if last.isFictionForm || first.isFictionForm && last.genre != table.criticism { return .fiction }
        if first.genre == table.criticism, first.genre != nil { return .criticism }
        if first.isNonfictionForm || side(of: first) == .nonfiction { return .nonfiction }
        return last.genre == table.criticism && last.joined == nil ? .criticism : .none
    }

    /// The side of a part's genre. A BISAC heading names its genre even if the word is only a hint.
    private func side(of part: Part) -> GenreTable.Side? {
        switch part.meaning {
        case .genre(let genre): table.side(of: genre)
        case .hint(let genre) where part.isHead: table.side(of: genre)
        default: nil
        }
    }

    private func emit(_ index: Int, _ context: Context, into outcomes: inout [Outcome]) {
        let part = resolved[index]
        if let joined = part.joined, context != .criticism {
            outcomes.append(outcome(of: part, .genre, joined))
            if !part.isFictionForm { return }
        }
        switch (context, part.meaning) {
        case (.criticism, let meaning):
            if meaning == table.criticism.map({ .genre($0) }) { add(part, into: &outcomes) }
        case (.fiction, _) where part.fictionHint != nil:
            outcomes.append(outcome(of: part, .genre, part.fictionHint))
        case (.fiction, .genre(let genre)) where table.side(of: genre) == .nonfiction: break
        case (.fiction, .hint): break
        case (_, .some) where index > 0 && part.isForm: break
        case (.nonfiction, _) where index > 0 && part.isDivision: break
        case (.nonfiction, .genre(let genre)) where index > 0 && table.side(of: genre) == .fiction: break
        case (.nonfiction, .hint(let genre)) where index == 0 && part.isHead:
            outcomes.append(outcome(of: part, .genre, genre))
        default: add(part, into: &outcomes)
        }
    }

    private func add(_ part: Part, into outcomes: inout [Outcome]) {
        switch part.meaning {
        case .genre(let genre): outcomes.append(outcome(of: part, .genre, genre))
        case .ownSpelling: outcomes.append(outcome(of: part, .genre, nil))
        case .hint(let genre): outcomes.append(outcome(of: part, .hint, genre))
        case .topic, nil: outcomes.append(outcome(of: part, .topic, nil))
        }
    }

    private func outcome(of part: Part, _ sign: Outcome.Sign, _ genre: GenreTable.Genre?) -> Outcome {
        let isNonfiction = genre.map { table.side(of: $0) == .nonfiction } ?? false
        let isFiction = part.endsInFiction || genre != nil && genre == table.fiction
        return Outcome(
            sign: sign, genre: genre, isFiction: sign == .genre && isFiction && !isNonfiction,
            start: UInt32(part.range.lowerBound), length: UInt32(part.range.count), hash: part.hash)
    }

    // MARK: Keys

    private mutating func makeKey(_ subject: UnsafeRawBufferPointer, _ range: Range<Int>) {
        key.removeAll(keepingCapacity: true)
        GenreKey.append(UnsafeRawBufferPointer(rebasing: subject[range]), to: &key)
    }

    private func isNoise(_ subject: UnsafeRawBufferPointer, _ part: Range<Int>) -> Bool {
        let text = UnsafeRawBufferPointer(rebasing: subject[part])
        return key.withUnsafeBytes { noise.isNoise(text, key: $0) }
    }

    private mutating func isTag(_ subject: UnsafeRawBufferPointer, _ whole: Range<Int>) -> Bool {
        makeKey(subject, whole)
        return key.withUnsafeBytes {
            noise.hasNoisePrefix($0) && table.meaning(of: $0, scratch: &scratch) == nil
        }
    }
}
