import Testing

@testable import Books
@testable import Store

@Suite struct StoredRowTests {
    private func row(_ value: String?, from source: Lineage.Source, by rule: MergeRule) -> StoredRow {
        var lineage = Lineage()
        if value != nil { lineage.set(.format, from: source, by: rule) }
        let stored = PackedRow(columns: 1) { $1.append(contentsOf: (value ?? "").utf8) }
        return StoredRow(fields: [.format], stored, lineage: lineage)
    }

    private func offered(
        _ value: String, by rule: MergeRule, to row: StoredRow, from source: Lineage.Source = .entry(2),
        onlyFills: Bool = false, quality: (Int64, Int64)? = nil
    ) -> StoredRow {
        var row = row
        row.offer(
            column: 0, value, from: source, by: rule,
            policy: OfferPolicy(onlyFills: onlyFills, quality: quality), isCommunity: false)
        return row
    }

    @Test func `an assumed value is replaced by any given one, even of an older export`() {
        let assumed = row("Paperback", from: .entry(1), by: .assumed)
        for onlyFills in [false, true] {
            let given = offered("Hardcover", by: .given, to: assumed, onlyFills: onlyFills)
            #expect(given[0] == "Hardcover")
            #expect(given.lineage.origin(of: .format)?.rule == .given)
            #expect(given.isChanged)
        }
        let same = offered("Paperback", by: .given, to: assumed)
        #expect(same.lineage.origin(of: .format)?.rule == .given)
    }

    @Test func `a year does not replace a full date in it, and the date replaces the year`() {
        func date(_ present: String, _ offer: String, _ source: Lineage.Source) -> String? {
            var lineage = Lineage()
            lineage.set(.publicationDate, from: .candidate(7), by: .given)
            let stored = PackedRow(columns: 1) { $1.append(contentsOf: present.utf8) }
            var row = StoredRow(fields: [.publicationDate], stored, lineage: lineage)
            row.offer(
                column: 0, offer, from: source, by: .given, policy: OfferPolicy(onlyFills: false),
                isCommunity: false)
            return row[0]
        }
        for source in [Lineage.Source.candidate(7), .candidate(8), .entry(1)] {
            #expect(date("1981-03-05", "1981", source) == "1981-03-05")
            #expect(date("1981", "1981-03-05", source) == "1981-03-05")
        }
        #expect(date("1981-03-05", "1982", .candidate(7)) == "1982")
        #expect(date("1981", "1982-03-05", .entry(1)) == "1981")
    }

    @Test func `a provider's value replaces another record's only for the edition the user chose`() {
        func format(_ origin: Lineage.Source, _ source: Lineage.Source, isChosen: Bool) -> String? {
            var row = row("Hardcover", from: origin, by: .given)
            row.offer(
                column: 0, "Paperback", from: source, by: .given,
                policy: OfferPolicy(onlyFills: false, replacesProviders: isChosen), isCommunity: false)
            return row[0]
        }
        #expect(format(.candidate(7), .candidate(8), isChosen: false) == "Hardcover")
        #expect(format(.candidate(7), .candidate(8), isChosen: true) == "Paperback")
        #expect(format(.candidate(7), .entry(1), isChosen: true) == "Hardcover")
    }

    @Test func `only a better value replaces a provider's if that is wanted`() {
        let stored = row("Hardcover", from: .candidate(7), by: .given)
        func format(_ quality: (Int64, Int64)?) -> String? {
            offered("Paperback", by: .given, to: stored, from: .candidate(7), quality: quality)[0]
        }
        #expect(format(nil) == "Paperback")
        #expect(format((50, 50)) == "Hardcover")
        #expect(format((51, 50)) == "Paperback")
        let own = row("Hardcover", from: .entry(1), by: .given)
        #expect(
            offered("Paperback", by: .given, to: own, from: .candidate(7), quality: (0, 90))[0] == "Paperback"
        )
        let policy = OfferPolicy(onlyFills: false, quality: (10, 90))
        #expect(policy.isBetter("2001-05-02", than: "2001", of: .publicationDate))
        #expect(!policy.isBetter("2001", than: "2002-03-04", of: .publicationDate))
        #expect(policy.isBetter(#"["a","b"]"#, than: #"["c"]"#, of: .subject))
        #expect(!policy.isBetter("Short.", than: "A longer account.", of: .description))
    }

    @Test func `an assumed value fills a gap and replaces nothing`() {
        let given = row("Hardcover", from: .entry(1), by: .given)
        let after = offered("Paperback", by: .assumed, to: given, from: .entry(1))
        #expect(after[0] == "Hardcover")
        #expect(!after.isTouched)
        let filled = offered("Paperback", by: .assumed, to: row(nil, from: .entry(1), by: .given))
        #expect(filled[0] == "Paperback")
    }

    @Test func `a value of one user's row does not replace another's, but a provider's does`() {
        let given = row("Hardcover", from: .entry(1), by: .given)
        #expect(offered("Ebook", by: .given, to: given)[0] == "Hardcover")
        #expect(offered("Ebook", by: .given, to: given, from: .candidate(9))[0] == "Ebook")
        #expect(
            offered("Ebook", by: .given, to: given, from: .candidate(9), onlyFills: true)[0] == "Hardcover")
    }
}
