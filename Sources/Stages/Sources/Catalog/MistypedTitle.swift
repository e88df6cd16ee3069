import Bytes

/// The keys by which a title with one typing error is found: hashes of its two halves, each with the author's
/// family name. One error leaves one of the halves intact.
///
/// The letter in the middle is in neither half, so that two letters exchanged there damage only one of them. A
/// missing or added letter moves the middle, so a title is looked up as if it had one letter more or less, too.
///
/// A third key is made of the first letters: that of titles which an export has cut off.
enum MistypedTitle {
    /// Letters of a title that has such keys. Shorter ones are one letter away from too many others.
    static let shortest = 5
    private static let longest = 255

    /// Calls `use` with the keys of a title in an index.
    ///
    /// - Parameters:
    ///   - form: The title in its form (``TitleForm``), UTF-8.
    ///   - family: The author's folded family name.
    static func forEachKey(
        ofIndexed form: UnsafeRawBufferPointer, by family: UnsafeRawBufferPointer, _ use: (Int64) -> Void
    ) {
        let count = letters(form)
        guard (shortest...longest).contains(count) else { return }
        let author = KeyHash.hash(family, seed: 0x7E41)
        use(beginning(count / 2, of: form, author))
        use(end(count - count / 2 - 1, of: form, count, author))
        if count > beginning { use(cutOff(form, author)) }
    }

    /// Letters of the beginning by which a title is found that was cut off.
    private static let beginning = 9

    /// The key of titles that begin like one that may be cut off; nil if it is too short.
    static func key(
        ofBeginning form: UnsafeRawBufferPointer, by family: UnsafeRawBufferPointer
    ) -> Int64? {
        guard (beginning...longest).contains(letters(form)) else { return nil }
        return cutOff(form, KeyHash.hash(family, seed: 0x7E41))
    }

    private static func cutOff(_ form: UnsafeRawBufferPointer, _ author: UInt64) -> Int64 {
        hash(form[..<offset(ofLetter: beginning, in: form)], author &+ 3)
    }

    /// The keys of a title that may have an error, each once.
    static func keys(
        ofAsked form: UnsafeRawBufferPointer, by family: UnsafeRawBufferPointer
    ) -> [Int64] {
        let count = letters(form)
        guard (shortest...longest).contains(count) else { return [] }
        let author = KeyHash.hash(family, seed: 0x7E41)
        // Of titles with one letter less, equally many, and one more, two have halves of equal length.
        let half = (count - 1) / 2
        let otherHalf = (count + 1) / 2
        return [
            beginning(half, of: form, author), beginning(otherHalf, of: form, author),
            end(count - 1 - half - 1, of: form, count, author),
            end(count + 1 - otherHalf - 1, of: form, count, author),
        ]
    }

    private static func letters(_ form: UnsafeRawBufferPointer) -> Int {
        form.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
    }

    private static func beginning(_ count: Int, of form: UnsafeRawBufferPointer, _ author: UInt64) -> Int64 {
        hash(form[..<offset(ofLetter: count, in: form)], author &+ 1)
    }

    private static func end(
        _ count: Int, of form: UnsafeRawBufferPointer, _ letters: Int, _ author: UInt64
    ) -> Int64 {
        hash(form[offset(ofLetter: letters - count, in: form)...], author &+ 2)
    }

    private static func offset(ofLetter number: Int, in form: UnsafeRawBufferPointer) -> Int {
        var left = number
        for (offset, byte) in form.enumerated() where byte & 0xC0 != 0x80 {
            if left == 0 { return offset }
            left -= 1
        }
        return form.count
    }

    /// Collisions do no harm: the books found are compared.
    private static func hash(_ part: Slice<UnsafeRawBufferPointer>, _ seed: UInt64) -> Int64 {
        Int64(bitPattern: KeyHash.hash(UnsafeRawBufferPointer(rebasing: part), seed: seed))
    }
}
