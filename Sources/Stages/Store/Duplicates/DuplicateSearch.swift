/// Entries of a library that are about one book.
package struct DuplicateGroup: Sendable {
    /// An entry, and how it is related to the one of the group that is most like it; nil for the first one.
    package struct Member: Sendable {
        package var entry: ComparedEntry
        package var match: DuplicateMatch?
    }

    /// A search returns them in the order in which they were stored.
    package var members: [Member]

    /// The lowest score of its members.
    package var score: Double { members.compactMap(\.match?.score).min() ?? 0 }
    /// Whether each member is certain to be the same book.
    package var isCertain: Bool { members.allSatisfy { $0.match?.isCertain ?? true } }
}

/// Finds entries of one library that are about one book.
///
/// Entries are compared only if they have a key in common: the work, an ISBN, a part of the title, the family name of
/// an author, or the last two together. A key of many entries, such as the title `Poems` or a prolific author, is not
/// used, so the number of comparisons grows in proportion to the entries.
package struct DuplicateSearch {
    /// Entries with one key that are compared with each other.
    private static let mostOfBlock = 64

    private let entries: [ComparedEntry]
    private let comparisons: [DuplicateComparison]

    /// - Parameter entries: All entries of a library, in the order in which they were stored.
    package init(_ entries: [ComparedEntry]) {
        self.entries = entries
        comparisons = entries.map { DuplicateComparison($0) }
    }

    /// Groups of certain duplicates, and after them pairs of similar entries.
    ///
    /// - Parameter includesSimilar: Whether pairs that are not certain are included.
    package func groups(includesSimilar: Bool) -> [DuplicateGroup] {
        var roots = Array(entries.indices)
        var found: [(first: Int, second: Int, match: DuplicateMatch)] = []
        forEachBlock { first, others in
            let matcher = comparisons[first].matcher
            for second in others {
                guard let match = comparisons[first].match(comparisons[second], matcher) else { continue }
                found.append((first, second, match))
                if match.isCertain { Self.join(first, second, &roots) }
            }
        }
        var groups: [DuplicateGroup] = []
        let certain = found.filter(\.match.isCertain)
        var best: [Int: DuplicateMatch] = [:]
        for pair in certain {
            for index in [pair.first, pair.second] where (best[index]?.score ?? 0) < pair.match.score {
                best[index] = pair.match
            }
        }
        let members = Dictionary(grouping: best.keys) { Self.root($0, &roots) }
        for group in members.values.map({ $0.sorted() }).sorted(by: { $0[0] < $1[0] }) {
            groups.append(
                DuplicateGroup(
                    members: group.map { index in
                        .init(entry: entries[index], match: index == group[0] ? nil : best[index])
                    }))
        }
        guard includesSimilar else { return groups }
        for pair in found.sorted(by: { ($0.first, $0.second) < ($1.first, $1.second) })
        where !pair.match.isCertain && Self.root(pair.first, &roots) != Self.root(pair.second, &roots) {
            groups.append(
                DuplicateGroup(members: [
                    .init(entry: entries[pair.first]), .init(entry: entries[pair.second], match: pair.match),
                ]))
        }
        return groups
    }

    /// Visits each entry with the later ones that have a key in common with it.
    private func forEachBlock(_ body: (Int, [Int]) -> Void) {
        var blocks: [String: [Int]] = [:]
        for (index, comparison) in comparisons.enumerated() {
            for key in comparison.blocks { blocks[key, default: []].append(index) }
        }
        for (index, comparison) in comparisons.enumerated() {
            var others: Set<Int> = []
            for key in comparison.blocks {
                guard let block = blocks[key], (2...Self.mostOfBlock).contains(block.count) else { continue }
                others.formUnion(block.lazy.filter { $0 > index })
            }
            if !others.isEmpty { body(index, others.sorted()) }
        }
    }

    // MARK: Groups

    private static func root(_ index: Int, _ roots: inout [Int]) -> Int {
        var index = index
        while roots[index] != index {
            roots[index] = roots[roots[index]]
            index = roots[index]
        }
        return index
    }

    private static func join(_ a: Int, _ b: Int, _ roots: inout [Int]) {
        let (a, b) = (root(a, &roots), root(b, &roots))
        if a != b { roots[max(a, b)] = min(a, b) }
    }
}
