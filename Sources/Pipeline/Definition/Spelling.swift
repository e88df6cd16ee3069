/// Suggests corrections of misspelt names.
package enum Spelling {
    /// The candidate closest to the written text, if at most a third of the letters are wrong. Case, `-`, `_`
    /// and spaces are ignored. If two are equally close, the first is used. If none is close, the only
    /// candidate that begins with the written text, if it has at least two letters.
    package static func nearest(to written: String, among candidates: some Sequence<String>) -> String? {
        let wanted = letters(written)
        guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
        var best: (name: String, distance: Int)?
        for candidate in candidates {
            let letters = letters(candidate)
            let distance = distance(wanted, letters)
            guard distance * 3 <= max(wanted.count, letters.count), distance < best?.distance ?? .max else {
                continue
            }
            best = (candidate, distance)
        }
        if let best { return best.name }
        let begun = candidates.filter { letters($0).starts(with: wanted) }
        return wanted.count >= 2 && begun.count == 1 ? begun.first : nil
    }

    /// ``nearest(to:among:)`` as a sentence: `Did you mean …?`. If there is none, the list of all candidates,
    /// introduced by `noun`.
    package static func advice(for written: String, among candidates: [String], called noun: String)
        -> String?
    {
        if let nearest = nearest(to: written, among: candidates) { return "Did you mean `\(nearest)`?" }
        guard !candidates.isEmpty else { return nil }
        return "\(noun): \(candidates.map { "`\($0)`" }.joined(separator: ", "))."
    }

    private static func letters(_ text: String) -> [Unicode.Scalar] {
        text.lowercased().unicodeScalars.filter { !["-", "_", " "].contains($0) }
    }

    /// The number of letters to change, add, remove or swap with their neighbour (optimal string alignment).
    private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in 1...a.count {
            var row = [i] + [Int](repeating: 0, count: b.count)
            for j in 1...b.count {
                let substituted = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
                row[j] = min(substituted, last[j] + 1, row[j - 1] + 1)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    row[j] = min(row[j], beforeLast[j - 2] + 1)
                }
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
