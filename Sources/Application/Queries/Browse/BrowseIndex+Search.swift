import Glibc

extension BrowseIndex {
    /// Finds the entries of a query.
    ///
    /// - Parameters:
    ///   - start: Number of entries before the page.
    ///   - count: Maximum number of entries of the page.
    package func find(_ query: BrowseQuery, from start: Int, count: Int) -> BrowseResult {
        var result = BrowseResult()
        result.all = numbers.count
        result.books = books
        let facets = BrowseQuery.Facet.allCases.compactMap { facet in columns[facet].map { (facet, $0) } }
        let wanted = facets.map { facet, column in
            // No entry has the number of a value that no entry has.
            query.chosen[facet].map { column.number(of: $0) ?? .max }
        }
        let words = query.words.map { " \($0)".utf8CString }
        var counts = facets.map { [Int](repeating: 0, count: $0.1.names.count) }
        func look(at place: Int) {
            // A value counts in its facet as if nothing was chosen there.
            var failed: Int?
            for (index, wanted) in wanted.enumerated() {
                guard let wanted, !facets[index].1.values(of: place).contains(wanted) else { continue }
                if failed != nil { return }
                failed = index
            }
            guard has(words, at: place), query.entries?.contains(numbers[place]) != false else { return }
            if let failed {
                for value in facets[failed].1.values(of: place) { counts[failed][Int(value)] += 1 }
                return
            }
            for index in facets.indices {
                for value in facets[index].1.values(of: place) { counts[index][Int(value)] += 1 }
            }
            if result.total >= start, result.numbers.count < count { result.numbers.append(numbers[place]) }
            result.total += 1
        }
        if let ranking = rankings[query.order] {
            let present = query.isReversed ? ranking.present.reversed() : ranking.present
            for place in present + ranking.missing { look(at: Int(place)) }
        }
        for (index, (facet, column)) in facets.enumerated() {
            result.facets[facet] = Self.values(of: facet, column, counts[index])
        }
        return result
    }

    private static func values(
        of facet: BrowseQuery.Facet, _ column: Column, _ counts: [Int]
    ) -> [BrowseResult.Value] {
        let values = zip(column.names, counts).filter { $0.1 > 0 }.map {
            BrowseResult.Value(name: $0.0, count: $0.1)
        }
        return values.sorted { first, second in
            switch facet {
            case .rating, .decade: first.name > second.name
            default: first.count == second.count ? first.name < second.name : first.count > second.count
            }
        }
    }

    /// Whether all words are beginnings of words of an entry.
    private func has(_ words: [ContiguousArray<CChar>], at place: Int) -> Bool {
        guard !words.isEmpty else { return true }
        return text.withUnsafeBufferPointer { text in
            guard let start = text.baseAddress else { return false }
            return UnsafeRawPointer(start + textStarts[place]).withMemoryRebound(to: CChar.self, capacity: 1)
            {
                entry in
                words.allSatisfy { word in
                    word.withUnsafeBufferPointer { strstr(entry, $0.baseAddress ?? entry) != nil }
                }
            }
        }
    }
}
