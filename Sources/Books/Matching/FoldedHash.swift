import Bytes

/// Two independent hashes of the form of a title or of a folded name.
package struct FoldedHash: Hashable {
    package var first: UInt64
    package var second: UInt64

    package init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }

    /// - Parameter folded: A folded name or the form of a title, not empty.
    package init(folded: UnsafeRawBufferPointer) {
        first = KeyHash.hash(folded)
        second = KeyHash.hash(folded, seed: 0x5EED)
    }

    /// The author of a book without authors.
    package static let nobody = FoldedHash(first: 0, second: 0)

    package init(folded: [UInt8]) {
        self = folded.withUnsafeBytes { FoldedHash(folded: $0) }
    }

    /// Hash of the form of a title with its subtitle; nil if folding leaves nothing of it.
    package static func title(_ title: UnsafeRawBufferPointer, _ subtitle: UnsafeRawBufferPointer? = nil)
        -> FoldedHash?
    {
        withForm(title, subtitle) { $0.isEmpty ? nil : FoldedHash(folded: $0) }
    }

    /// Calls `body` with the form of a title with its subtitle.
    package static func withForm<Result>(
        _ title: UnsafeRawBufferPointer, _ subtitle: UnsafeRawBufferPointer? = nil,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        var folded: [UInt8] = []
        let range = TitleSegments.withoutMovedArticle(title.indices, of: title)
        Folding.fold(UnsafeRawBufferPointer(rebasing: title[range]), into: &folded)
        if let subtitle {
            let count = folded.count
            Folding.fold(subtitle, into: &folded)
            if count > 0, folded.count > count { folded.insert(0x20, at: count) }
        }
        var form: [UInt8] = []
        form.reserveCapacity(folded.count)
        folded.withUnsafeBytes { TitleForm.append($0, to: &form) }
        return form.withUnsafeBytes(body)
    }

    /// Hash of a person's name; nil if folding leaves nothing of it.
    ///
    /// Initials are joined, so that `J. R. R. Tolkien`, `J.R.R. Tolkien` and `JRR Tolkien` are equal. A name
    /// with one comma is reversed: `Tolkien, J. R. R.`.
    package static func name(_ name: UnsafeRawBufferPointer) -> FoldedHash? {
        let folded = PersonKey.fold(name)
        return folded.isEmpty ? nil : FoldedHash(folded: folded)
    }
}
