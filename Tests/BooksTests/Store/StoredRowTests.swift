import Testing

@testable import Books

@Suite struct StoredRowTests {
    private func row(_ value: String?, from source: Lineage.Source, by rule: MergeRule) -> StoredRow {
        var lineage = Lineage()
        if value != nil { lineage.set(.format, from: source, by: rule) }
        return StoredRow(fields: [.format], columns: [value], lineage: lineage)
    }

    private func offered(
        _ value: String, by rule: MergeRule, to row: StoredRow, from source: Lineage.Source = .entry(2),
        onlyFills: Bool = false
    ) -> StoredRow {
        var row = row
        row.offer(
            column: 0, value, from: source, by: rule, onlyFills: onlyFills, isCommunity: false)
        return row
    }

    @Test func `what was assumed gives way to any word, of an older export too`() {
        let assumed = row("Paperback", from: .entry(1), by: .assumed)
        for onlyFills in [false, true] {
            let told = offered("Hardcover", by: .given, to: assumed, onlyFills: onlyFills)
            #expect(told.columns == ["Hardcover"])
            #expect(told.lineage.origin(of: .format)?.rule == .given)
            #expect(told.isChanged)
        }
        let same = offered("Paperback", by: .given, to: assumed)
        #expect(same.lineage.origin(of: .format)?.rule == .given)
    }

    @Test func `an assumption fills a gap and displaces nothing`() {
        let told = row("Hardcover", from: .entry(1), by: .given)
        let after = offered("Paperback", by: .assumed, to: told, from: .entry(1))
        #expect(after.columns == ["Hardcover"])
        #expect(!after.isTouched)
        let filled = offered("Paperback", by: .assumed, to: row(nil, from: .entry(1), by: .given))
        #expect(filled.columns == ["Paperback"])
    }

    @Test func `one reader's row does not displace another's, a provider does`() {
        let told = row("Hardcover", from: .entry(1), by: .given)
        #expect(offered("Ebook", by: .given, to: told).columns == ["Hardcover"])
        #expect(offered("Ebook", by: .given, to: told, from: .candidate(9)).columns == ["Ebook"])
        #expect(
            offered("Ebook", by: .given, to: told, from: .candidate(9), onlyFills: true).columns == [
                "Hardcover"
            ])
    }
}
