/// The form of a person's name that is hashed: folded, in reading order, initials drawn together.
enum PersonKey {
    /// What may follow a comma without being a given name, folded.
    private static let suffixes: Set<[UInt8]> = Set(
        ["jr", "sr", "ii", "iii", "iv", "phd", "ph d", "md", "m d", "esq", "inc", "ltd", "llc"].map {
            Array($0.utf8)
        })

    /// The form of a name; empty where nothing of it is left.
    static func fold(_ name: UnsafeRawBufferPointer) -> [UInt8] {
        var folded: [UInt8] = []
        guard let comma = name.firstIndex(of: UInt8(ascii: ",")),
            !name[(comma + 1)...].contains(UInt8(ascii: ","))
        else {
            Folding.fold(name, into: &folded)
            return joiningInitials(folded)
        }
        var family: [UInt8] = []
        Folding.fold(UnsafeRawBufferPointer(rebasing: name[..<comma]), into: &family)
        Folding.fold(UnsafeRawBufferPointer(rebasing: name[(comma + 1)...]), into: &folded)
        if suffixes.contains(folded) { swap(&family, &folded) }
        if !family.isEmpty, !folded.isEmpty { folded.append(0x20) }
        return joiningInitials(folded + family)
    }

    /// Takes out the blanks between words of one letter of ASCII: `j r r tolkien` is `jrr tolkien`.
    private static func joiningInitials(_ folded: [UInt8]) -> [UInt8] {
        let blank: UInt8 = 0x20
        guard folded.count >= 3 else { return folded }
        var joined: [UInt8] = []
        joined.reserveCapacity(folded.count)
        for index in folded.indices {
            let isBetweenInitials =
                folded[index] == blank && index >= 1 && index + 1 < folded.count
                && (index == 1 || folded[index - 2] == blank)
                && (index + 2 == folded.count || folded[index + 2] == blank)
            if !isBetweenInitials { joined.append(folded[index]) }
        }
        return joined
    }
}
