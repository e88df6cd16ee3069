import Testing

@testable import Books

@Suite struct TitleEntryTests {
    @Test(
        arguments: [1, 45_804, TitleEntry.highestWork],
        [TitleEntry.Rank.whole, .edition, .short])
    func `an entry comes back as it was packed`(work: Int64, rank: TitleEntry.Rank) throws {
        for check: Int64 in [0, 1, (1 << 29) - 1] {
            let packed = TitleEntry(work: work, check: check, rank: rank).packed
            let entry = try #require(TitleEntry(packed: packed))
            #expect(packed > 0)
            #expect((entry.work, entry.check, entry.rank) == (work, check, rank))
        }
    }

    @Test func `entries are sorted by work, and the best of a work comes first`() {
        let entries: [TitleEntry] = [
            .init(work: 2, check: 5, rank: .whole), .init(work: 2, check: 5, rank: .edition),
            .init(work: 2, check: 5, rank: .short), .init(work: 3, check: 0, rank: .whole),
        ]
        #expect(entries.map(\.packed) == entries.map(\.packed).sorted())
    }

    @Test func `a rank that nobody wrote is no entry`() {
        #expect(TitleEntry(packed: 3) == nil)
    }
}
