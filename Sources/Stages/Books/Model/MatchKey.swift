/// What a reader's decision about a title and an author is remembered under: the title as in keys (``KeyNormalizer``), the
/// author folded, a tab between. It holds in any export that spells them alike.
package enum MatchKey {
    /// The key of a title and an author, each as a reader's file spells it.
    package static func key(title: String, author: String) -> String {
        var author = author
        let name = author.withUTF8 { PersonKey.fold(UnsafeRawBufferPointer($0)) }
        return "\(KeyNormalizer.fold(title))\t\(String(decoding: name, as: UTF8.self))"
    }
}
