import Bytes

/// How well a spelling of a person's name is written, to choose one of several that differ only in case, diacritics
/// and signs.
///
/// The order is total and says nothing about where a spelling is from, so the best of several is the same in whatever
/// order they are seen.
package struct NameSpelling: Comparable {
    /// Words in capitals or in lower case that no name has so, and characters that were lost. 255 at most.
    private var flaws: UInt8 = 0
    /// Letters that are not ASCII: `García` before `Garcia`.
    private var marks: UInt8 = 0
    /// `J.R.R.` before `J R R`.
    private var periods: UInt8 = 0
    private var length = 0
    private var bytes: [UInt8] = []

    /// - Parameter name: A name in reading order.
    package init(_ name: UnsafeRawBufferPointer) {
        bytes = Array(name)
        length = name.count
        let text = String(decoding: name, as: UTF8.self)
        var (hasCapitals, hasSmall) = (false, false)
        for word in text.split(separator: " ") {
            let word = Word(word)
            if word.isShouted || word.isLowered { flaws = flaws.adding(1) }
            hasCapitals = hasCapitals || word.capitals > 1
            hasSmall = hasSmall || word.small > 0
        }
        if hasCapitals, !hasSmall { flaws = flaws.adding(8) }
        for scalar in text.unicodeScalars {
            if scalar == "\u{FFFD}" { flaws = flaws.adding(8) }
            if scalar == "." { periods = periods.adding(1) }
            if !scalar.isASCII,
                scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
            {
                marks = marks.adding(1)
            }
        }
    }

    /// Whether the left spelling is worse.
    package static func < (left: NameSpelling, right: NameSpelling) -> Bool {
        if left.flaws != right.flaws { return left.flaws > right.flaws }
        if left.marks != right.marks { return left.marks < right.marks }
        if left.periods != right.periods { return left.periods < right.periods }
        if left.length != right.length { return left.length > right.length }
        return right.bytes.lexicographicallyPrecedes(left.bytes)
    }

    /// The letters of a word.
    private struct Word {
        private(set) var (capitals, small) = (0, 0)
        private let text: Substring

        init(_ word: Substring) {
            text = word
            // Initials are separate: J.R.R.
            guard !word.contains(".") else { return }
            for letter in word where letter.isLetter {
                if letter.isUppercase { capitals += 1 } else if letter.isLowercase { small += 1 }
            }
        }

        /// `TOLKIEN`, but not initials written together (`JRR`, `AE`) or `III`.
        var isShouted: Bool {
            guard capitals > 2, small == 0 else { return false }
            let isSuffix = Array(text.utf8).withUnsafeBytes { NameSuffix($0, 0..<$0.count) != nil }
            return !isSuffix && (capitals > 3 || text.lowercased().contains { "aeiouy".contains($0) })
        }

        /// `tolkien`, but not `von`.
        var isLowered: Bool { small > 0 && capitals == 0 && !NameWords.isParticle(text) }
    }

    /// Whether a spelling takes the place of another one: it is better, and differs only in case, diacritics and signs,
    /// so that whoever searches for one finds the other.
    package static func replaces(_ other: UnsafeRawBufferPointer, by name: UnsafeRawBufferPointer) -> Bool {
        guard !name.isEmpty, !name.hasSameBytes(as: other) else { return false }
        var (ours, theirs): ([UInt8], [UInt8]) = ([], [])
        Folding.fold(name, into: &ours)
        Folding.fold(other, into: &theirs)
        return ours == theirs && NameSpelling(other) < NameSpelling(name)
    }
}

extension UInt8 {
    /// The sum, or 255 if it is greater.
    fileprivate func adding(_ count: Int) -> UInt8 { UInt8(clamping: Int(self) + count) }
}
