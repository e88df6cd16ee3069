import Books

/// Which entries of a group become one: those of one edition, and those of one book that came from different programs.
/// A second edition in one program can be a second copy and stays.
///
/// Followed once, it proposes nothing more: an entry stands for the programs of all that were joined to it.
struct JoinProposal {
    /// Members that become one. The first one stays.
    private struct Copy {
        var members: [Int]
        var editions: Set<Int64>
        var isbns: Set<String>
        var formats: Set<String>

        init(_ entry: ComparedEntry, at index: Int) {
            members = [index]
            editions = [entry.edition]
            isbns = entry.isbns
            formats = entry.formats
        }

        mutating func add(_ other: Copy) {
            members = (members + other.members).sorted()
            editions.formUnion(other.editions)
            isbns.formUnion(other.isbns)
            formats.formUnion(other.formats)
        }
    }

    /// The members of each copy, by their place in the group.
    let copies: [[Int]]

    init(_ group: DuplicateGroup) {
        let entries = group.members.map(\.entry)
        guard group.isCertain else {
            copies = entries.indices.map { [$0] }
            return
        }
        var byEdition: [Copy] = []
        for (index, entry) in entries.enumerated() {
            if let known = byEdition.firstIndex(where: { $0.editions.contains(entry.edition) }) {
                byEdition[known].add(Copy(entry, at: index))
            } else {
                byEdition.append(Copy(entry, at: index))
            }
        }
        var found: [Copy] = []
        var formats: Set<String> = []
        for copy in byEdition {
            if !found.isEmpty, formats.isDisjoint(with: copy.formats) {
                found[found.firstIndex { !$0.isbns.isDisjoint(with: copy.isbns) } ?? 0].add(copy)
            } else {
                found.append(copy)
            }
            formats.formUnion(copy.formats)
        }
        copies = found.map(\.members)
    }

    /// The group with the members of each copy one after the other.
    func ordered(_ group: DuplicateGroup) -> DuplicateGroup {
        var ordered = group
        ordered.members = copies.joined().map { group.members[$0] }
        return ordered
    }

    /// What happens to each member.
    var decisions: [DuplicateList.Decision] {
        var decisions = [DuplicateList.Decision](repeating: .leave, count: copies.joined().count)
        for copy in copies where copy.count > 1 {
            for member in copy { decisions[member] = member == copy[0] ? .keep : .join }
        }
        return decisions
    }
}
