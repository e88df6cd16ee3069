import Bytes

/// The form in which a person's name is compared and hashed: folded, in reading order, with initials joined.
package enum PersonKey {
    /// Folded texts after a comma that are not given names.
    private static let suffixes: [StaticString] = [
        "jr", "sr", "ii", "iii", "iv", "phd", "ph d", "md", "m d", "esq", "inc", "ltd", "llc",
    ]

    /// The form of a name; empty if nothing of it folds.
    package static func fold(_ name: UnsafeRawBufferPointer) -> [UInt8] {
        var folded: [UInt8] = []
        fold(name, into: &folded)
        return folded
    }

    /// Writes the form of a name into a buffer, replacing its contents. The buffer ends up empty if nothing
    /// of the name folds.
    package static func fold(_ name: UnsafeRawBufferPointer, into out: inout [UInt8]) {
        out.removeAll(keepingCapacity: true)
        let comma = UInt8(ascii: ",")
        guard let end = name.offset(of: comma, from: 0), name.offset(of: comma, from: end + 1) == nil else {
            Folding.fold(name, into: &out)
            return joinInitials(in: &out)
        }
        let family = UnsafeRawBufferPointer(rebasing: name[..<end])
        let given = UnsafeRawBufferPointer(rebasing: name[(end + 1)...])
        Folding.fold(given, into: &out)
        if isSuffix(out) {
            out.removeAll(keepingCapacity: true)
            Folding.fold(family, into: &out)
            appendWord(given, to: &out)
        } else {
            appendWord(family, to: &out)
        }
        joinInitials(in: &out)
    }

    private static func isSuffix(_ folded: [UInt8]) -> Bool {
        folded.withUnsafeBytes { folded in suffixes.contains { $0 == folded } }
    }

    /// Appends text, folded. A blank separates it from text before it.
    private static func appendWord(_ text: UnsafeRawBufferPointer, to out: inout [UInt8]) {
        guard !out.isEmpty else { return Folding.fold(text, into: &out) }
        out.append(0x20)
        let start = out.count
        Folding.fold(text, into: &out)
        if out.count == start { out.removeLast() }
    }

    /// Removes the blanks between one-letter ASCII words: `j r r tolkien` becomes `jrr tolkien`.
    private static func joinInitials(in folded: inout [UInt8]) {
        let blank: UInt8 = 0x20
        let kept = folded.withUnsafeMutableBytes { folded in
            var kept = 0
            var word = 0
            for index in folded.indices {
                let byte = folded[index]
                if byte == blank {
                    let isBehindInitial = index - word == 1
                    word = index + 1
                    let isBeforeInitial =
                        word < folded.count && (word + 1 == folded.count || folded[word + 1] == blank)
                    if isBehindInitial, isBeforeInitial { continue }
                }
                folded[kept] = byte
                kept += 1
            }
            return kept
        }
        folded.removeLast(folded.count - kept)
    }
}

/// The key under which a user's decision about a title and author is stored: the title as in keys
/// (``KeyNormalizer``), a tab, the folded author. The decision applies to every export that spells them the
/// same way.
package enum MatchKey {
    /// The key of a title and an author, as the user's file spells them.
    package static func key(title: String, author: String) -> String {
        var author = author
        let name = author.withUTF8 { PersonKey.fold(UnsafeRawBufferPointer($0)) }
        return "\(KeyNormalizer.fold(title))\t\(String(decoding: name, as: UTF8.self))"
    }
}
