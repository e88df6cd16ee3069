/// How many letters have to be changed, added, left out or swapped with the next to make one text of another.
enum EditDistance {
    /// Whether it is no more than a bound. Longer texts differ by their lengths alone before anything is compared.
    static func isAtMost(_ most: Int, _ a: String, _ b: String) -> Bool {
        let (a, b) = (Array(a.unicodeScalars), Array(b.unicodeScalars))
        guard abs(a.count - b.count) <= most else { return false }
        if a.isEmpty || b.isEmpty { return true }
        var before: [Int] = []
        var last = Array(0...b.count)
        for i in 1...a.count {
            var row = [i]
            row.reserveCapacity(b.count + 1)
            for j in 1...b.count {
                var cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    cost = min(cost, before[j - 2] + 1)
                }
                row.append(cost)
            }
            if row.min() ?? 0 > most { return false }
            (before, last) = (last, row)
        }
        return last[b.count] <= most
    }
}
