import Bytes

/// The hash by which a person is found under a folded name.
struct PersonNameKey {
    /// The integer that the index is sorted by.
    var key: Int64
    /// 29 bits of another hash, which confirm.
    var check: Int64

    /// - Parameter folded: The name in the form of ``Folding``, not empty.
    init(folded: [UInt8]) {
        let hash = FoldedHash(folded: folded)
        key = Int64(bitPattern: hash.first)
        check = Int64(hash.second >> 35)
    }

    /// - Returns: nil where nothing of the name is left when folded.
    init?(_ name: String) {
        let folded = Array(Folding.fold(name).utf8)
        guard !folded.isEmpty else { return nil }
        self.init(folded: folded)
    }
}
