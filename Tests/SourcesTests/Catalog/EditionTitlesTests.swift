import Testing

@testable import Sources

@Suite struct EditionTitlesTests {
    private func forms(_ titles: EditionTitles, _ own: SearchText = SearchText(title: "w")) -> [String] {
        titles.bytes.withUnsafeBytes { EditionTitles.forms($0, besides: own) }.map { "\($0.isbn) \($0.text)" }
    }

    @Test func `titles are stored with and without subtitle, once, and never the work's own`() {
        var titles = EditionTitles()
        titles.append(isbn: 1, title: Array("a".utf8), subtitle: Array("b".utf8))
        titles.append(isbn: 2, title: Array("a".utf8), subtitle: [])
        titles.append(isbn: 3, title: Array("a b".utf8), subtitle: [])
        titles.append(isbn: 4, title: Array("w".utf8), subtitle: Array("c".utf8))
        titles.append(isbn: 5, title: [], subtitle: [])
        #expect(forms(titles) == ["1 a", "1 a b", "4 w c"])
        #expect(forms(titles, SearchText(title: "a", subtitle: "b")) == ["4 w", "4 w c"])
    }

    @Test func `no more titles are kept than the limits allow`() {
        var titles = EditionTitles()
        for number in 0..<100 { titles.append(isbn: 1, title: Array("t\(number)".utf8), subtitle: []) }
        #expect(forms(titles).count == EditionTitles.limit)
        titles.removeAll()
        for number in 0..<5 {
            titles.append(
                isbn: 1, title: Array("\(number)".utf8) + Array(repeating: 0x61, count: 1_990), subtitle: [])
        }
        #expect(forms(titles).count == 2)
        #expect(titles.bytes.count <= EditionTitles.byteLimit)
    }

    @Test func `damaged bytes end the titles`() {
        var titles = EditionTitles()
        titles.append(isbn: 9_780_306_406_157, title: Array("abc".utf8), subtitle: [])
        titles.append(isbn: 9_780_306_406_157, title: Array("def".utf8), subtitle: Array("g".utf8))
        for count in titles.bytes.indices {
            let cut = Array(titles.bytes[..<count])
            let forms = cut.withUnsafeBytes { EditionTitles.forms($0, besides: SearchText()) }
            #expect(forms.count <= 1)
        }
        let wild: [UInt8] = [1, 0xFF, 0xFF, 0xFF, 0x7F, 0x61]
        #expect(wild.withUnsafeBytes { EditionTitles.forms($0, besides: SearchText()) }.isEmpty)
    }
}

@Suite struct TitleEntryTests {
    @Test(
        arguments: [1, 45_804, TitleEntry.highestWork],
        [TitleEntry.Rank.whole, .edition, .short])
    func `packing and unpacking an entry round-trips`(work: Int64, rank: TitleEntry.Rank) throws {
        for check: Int64 in [0, 1, (1 << 29) - 1] {
            let packed = TitleEntry(work: work, check: check, rank: rank).packed
            let entry = try #require(TitleEntry(packed: packed))
            #expect(packed > 0)
            #expect((entry.work, entry.check, entry.rank) == (work, check, rank))
        }
    }

    @Test func `entries sort by work, the best of a work first`() {
        let entries: [TitleEntry] = [
            .init(work: 2, check: 5, rank: .whole), .init(work: 2, check: 5, rank: .edition),
            .init(work: 2, check: 5, rank: .short), .init(work: 2, check: 5, rank: .tail),
            .init(work: 3, check: 0, rank: .whole),
        ]
        #expect(entries.map(\.packed) == entries.map(\.packed).sorted())
    }
}
