import Store

/// Which entries of a group become one: those of one edition, and those of one book that came from different programs.
/// A second edition in one program can be a second copy and stays. So does an entry whose copy has other details, such as
/// another location.
///
/// If all is joined, the same group proposes nothing more: an entry stands for the programs of all that were joined to
/// it.
struct JoinProposal {
    /// Members that become one.
    private struct Copy {
        /// Their places in the group.
        var members: [Int]
        var editions: Set<Int64>
        var isbns: Set<String>
        var formats: Set<String>
        /// The details of each member's copy with its formats.
        var details: [(formats: Set<String>, details: [String])]

        init(_ entry: ComparedEntry, at index: Int) {
            members = [index]
            editions = [entry.edition]
            isbns = entry.isbns
            formats = entry.formats
            details = [(entry.formats, entry.details)]
        }

        /// Whether a program has the entry besides one of these as another copy.
        func isApart(from entry: ComparedEntry) -> Bool {
            details.contains { !$0.formats.isDisjoint(with: entry.formats) && $0.details != entry.details }
        }

        mutating func add(_ other: Copy) {
            members = (members + other.members).sorted()
            editions.formUnion(other.editions)
            isbns.formUnion(other.isbns)
            formats.formUnion(other.formats)
            details += other.details
        }
    }

    /// The group, with the members of each copy one after the other.
    let group: DuplicateGroup
    /// The members that become one, as ranges of the group. The first one stays.
    let copies: [Range<Int>]

    init(_ found: DuplicateGroup) {
        let copies = Self.copies(found)
        var group = found
        group.members = copies.joined().map { found.members[$0] }
        self.group = group
        var start = 0
        self.copies = copies.map { copy in
            defer { start += copy.count }
            return start..<start + copy.count
        }
    }

    private static func copies(_ group: DuplicateGroup) -> [[Int]] {
        let entries = group.members.map(\.entry)
        guard group.isCertain else { return entries.indices.map { [$0] } }
        var byEdition: [Copy] = []
        for (index, entry) in entries.enumerated() {
            if let known = byEdition.firstIndex(where: {
                $0.editions.contains(entry.edition) && !$0.isApart(from: entry)
            }) {
                byEdition[known].add(Copy(entry, at: index))
            } else {
                byEdition.append(Copy(entry, at: index))
            }
        }
        var found: [Copy] = []
        var formats: Set<String> = []
        for copy in byEdition {
            let sameISBN = found.firstIndex {
                !$0.isbns.isDisjoint(with: copy.isbns) && $0.formats.isDisjoint(with: copy.formats)
            }
            // The only entry that a program has of the book can be of any copy.
            let isOnly = !found.isEmpty && formats.isDisjoint(with: copy.formats)
            if let known = sameISBN ?? (isOnly ? 0 : nil) {
                found[known].add(copy)
            } else {
                found.append(copy)
            }
            formats.formUnion(copy.formats)
        }
        return found.map(\.members)
    }

    /// The entries to join.
    var joins: [EntryJoin] {
        copies.filter { $0.count > 1 }.map { copy in
            let ids = group.members[copy].map(\.entry.id)
            return EntryJoin(kept: ids[0], dropped: Array(ids.dropFirst()))
        }
    }

    /// The name of each member's group in a list that can be applied: `3`, or `3a` and `3b` if several copies are joined.
    func names(ofGroup number: Int) -> [String] {
        let isOne = copies.count { $0.count > 1 } < 2
        return copies.enumerated().flatMap { index, copy in
            [String](
                repeating: isOne ? "\(number)" : "\(number)\(Self.letter(index))", count: copy.count)
        }
    }

    /// `a` to `z`, `aa` to `az`, and so on.
    private static func letter(_ index: Int) -> String {
        let last = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(index % 26)))
        return index < 26 ? last : letter(index / 26 - 1) + last
    }

    /// Action for each member.
    var decisions: [DuplicateList.Decision] {
        copies.flatMap { copy in
            copy.map { copy.count == 1 ? .leave : $0 == copy.lowerBound ? .keep : .join }
        }
    }
}
