import Contract
import Store

/// Finds the numbers that are missing in series.
struct SeriesGaps {
    /// Series with higher numbers are not looked at: they are magazines, or the number is a year.
    private static let most = 200

    private var names: [String: String] = [:]
    private var numbers: [String: Set<Int>] = [:]

    /// Notes the series of a book.
    mutating func note(_ series: [StoredSeries]) {
        for one in series {
            guard let number = one.number.flatMap({ Double($0) }).flatMap({ Int(exactly: $0) }),
                (1...Self.most).contains(number)
            else { continue }
            let key = one.name.lowercased()
            if names[key] == nil { names[key] = one.name }
            numbers[key, default: []].insert(number)
        }
    }

    /// Incomplete series, those with most books first.
    func found(_ most: Int) -> [LibraryStatistics.Series] {
        let all = numbers.compactMap { key, numbers -> LibraryStatistics.Series? in
            let have = numbers.sorted()
            guard let last = have.last else { return nil }
            let missing = (1...last).filter { !numbers.contains($0) }
            return missing.isEmpty ? nil : .init(name: names[key] ?? key, have: have, missing: missing)
        }
        return Array(all.sorted { ($1.have.count, $0.name) < ($0.have.count, $1.name) }.prefix(most))
    }
}
