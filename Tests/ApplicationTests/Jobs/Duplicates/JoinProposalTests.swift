import Testing

@testable import Jobs
@testable import Store

@Suite struct JoinProposalTests {
    /// A certain group of entries, by program, edition and ISBN.
    private func group(_ entries: [(format: String, edition: Int64, isbn: String)]) -> DuplicateGroup {
        let match = DuplicateMatch(relation: .otherEdition, reading: .unknown, score: 1, evidence: [])
        return DuplicateGroup(
            members: entries.enumerated().map { index, entry in
                let name = EntryName(library: "default", formatName: entry.format, sourceID: "\(index)")
                var compared = ComparedEntry(
                    id: Int64(index), edition: entry.edition, work: 1, name: name, title: "Dune")
                compared.isbns = entry.isbn.isEmpty ? [] : [entry.isbn]
                return .init(entry: compared, match: index == 0 ? nil : match)
            })
    }

    @Test(
        arguments: [
            // Another program's only entry, whatever its edition; a second one is a second copy.
            ([("a", 1, ""), ("b", 2, ""), ("b", 3, "")], [[0, 1], [2]]),
            // Entries of one edition, also in one program.
            ([("a", 1, ""), ("a", 1, ""), ("b", 2, ""), ("b", 2, "")], [[0, 1, 2, 3]]),
            // Both programs have both editions.
            ([("a", 1, ""), ("a", 2, ""), ("b", 2, ""), ("b", 1, "")], [[0, 3], [1, 2]]),
            ([("a", 1, "x"), ("a", 2, "y"), ("b", 3, "y"), ("b", 4, "x")], [[0, 3], [1, 2]]),
            // Three programs.
            ([("a", 1, ""), ("b", 2, ""), ("c", 3, "")], [[0, 1, 2]]),
        ] as [([(String, Int64, String)], [[Int64]])])
    func `copies are joined one by one`(entries: [(String, Int64, String)], copies: [[Int64]]) {
        let proposal = JoinProposal(group(entries.map { (format: $0.0, edition: $0.1, isbn: $0.2) }))
        #expect(proposal.copies.map { proposal.group.members[$0].map(\.entry.id) } == copies)
        #expect(
            proposal.joins
                == copies.filter { $0.count > 1 }.map {
                    EntryJoin(kept: $0[0], dropped: Array($0.dropFirst()))
                })
        // The entries that stay stand for the programs of those that were joined to them.
        var rest = proposal.group
        rest.members = copies.map { copy in
            var kept = proposal.group.members.first { $0.entry.id == copy[0] } ?? proposal.group.members[0]
            for member in proposal.group.members where copy.contains(member.entry.id) {
                kept.entry.formats.formUnion(member.entry.formats)
            }
            return kept
        }
        #expect(JoinProposal(rest).joins.isEmpty)
    }

    @Test func `each copy has a name of its own, so the order of the lines does not matter`() {
        let copies = JoinProposal(
            group([("a", 1, ""), ("a", 2, ""), ("b", 2, ""), ("b", 1, ""), ("a", 3, "")]))
        #expect(copies.names(ofGroup: 7) == ["7a", "7a", "7b", "7b", "7c"])
        #expect(copies.decisions == [.keep, .join, .keep, .join, .leave])
        let one = JoinProposal(group([("a", 1, ""), ("b", 2, ""), ("b", 3, "")]))
        #expect(one.names(ofGroup: 7) == ["7", "7", "7"])
        let many = JoinProposal(group((1...60).map { ("a", $0 / 2, "") }))
        #expect(many.names(ofGroup: 1)[56...58] == ["1ac", "1ad", "1ad"])
    }

    @Test func `entries of one program that differ in details are copies, and stay`() {
        var group = group([("a", 1, ""), ("a", 1, ""), ("b", 1, ""), ("a", 1, "")])
        for (index, location) in ["Office", "Home", "", "Office"].enumerated() {
            group.members[index].entry.details = [location, ""]
        }
        let proposal = JoinProposal(group)
        #expect(proposal.copies.map { proposal.group.members[$0].map(\.entry.id) } == [[0, 2, 3], [1]])
    }

    @Test func `what is not certain stays`() {
        var group = group([("a", 1, ""), ("b", 2, "")])
        group.members[1].match?.relation = .similar
        #expect(JoinProposal(group).joins.isEmpty)
        #expect(JoinProposal(group).decisions == [.leave, .leave])
    }
}
