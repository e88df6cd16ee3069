import Books
import Bytes

/// Applies each field's rule to the values offered for it.
extension BatchMerge {
    typealias Offer = FieldCandidates.Offer

    /// Writes the values of all fields of a row, ordered by the fields' raw values.
    ///
    /// - Parameters:
    ///   - identity: Index of the candidate that provides the work.
    ///   - repair: Repair of the row's ISBN.
    mutating func choose(_ candidates: ArraySlice<Candidate>, identity: Int?, repair: ISBNRepair?) {
        var fields = offers.fields
        if !isbns.entries.isEmpty {
            fields.insert(.isbn13)
            fields.insert(.isbn10)
        }
        while let field = fields.popFirst() {
            let index = offers.firstIndex(field)
            switch field {
            case .isbn13, .isbn10: isbns.append(field, repair: repair, arena: &arena, to: &values)
            case .seriesName: chooseSeries(candidates)
            case .seriesNumber: break
            case _ where offers[index].next < 0:
                let only = offers[index]
                values.append(
                    BookValue(
                        field, only.value, from: only.origin, by: only.lineage(by: policy[field], alone: true)
                    ))
            case _ where field.repeats: chooseSeveral(field, candidates)
            default:
                var offer = one(field, candidates, identity)
                if field == .publicationDate { offer = finer(than: offer) }
                values.append(
                    BookValue(
                        field, offer.value, from: offer.origin,
                        by: offer.lineage(by: policy[field], alone: false)))
            }
        }
    }

    /// The value a field's rule selects from several.
    private func one(_ field: Field, _ candidates: ArraySlice<Candidate>, _ identity: Int?) -> Offer {
        let first = offers[offers.firstIndex(field)]
        if field == .workKey, let identity,
            let own = offers.first(field, where: { $0.origin == .candidate(UInt8(identity)) })
        {
            return own
        }
        switch policy[field] {
        case .priority, .union: return first
        case .prefer(let provider):
            return offers.first(field) { self.provider(of: $0, candidates) == provider } ?? first
        case .longest: return best(field, first) { Int64(scalarCount($0.value)) }
        case .majority:
            return best(field, first) { offer in
                var count: Int64 = 0
                offers.forEach(field) { count += arena.equal($0.value, offer.value) ? 1 : 0 }
                return count
            }
        case .newest: return best(field, first) { dateOrder($0.value) }
        case .earliest: return best(field, first) { -dateOrder($0.value) }
        }
    }

    /// Writes the values of a repeated field without duplicates: of all sources for a union, otherwise of one
    /// source.
    private mutating func chooseSeveral(_ field: Field, _ candidates: ArraySlice<Candidate>) {
        let rule = policy[field]
        let source: FieldOrigin? = rule == .union ? nil : source(field, by: rule, candidates)
        let start = values.count
        var seen: Set<[UInt8]>?
        var index = offers.firstIndex(field)
        while index >= 0 {
            let offer = offers[index]
            index = offer.next
            if let source, offer.origin != source { continue }
            if values.count - start == 64, seen == nil {
                // From here on a set is faster than comparing all pairs.
                seen = Set(values[start...].map { arena.bytes($0.value) })
            }
            let isNew =
                seen?.insert(arena.bytes(offer.value)).inserted
                ?? !values[start...].contains { arena.equal($0.value, offer.value) }
            guard isNew else { continue }
            values.append(BookValue(field, offer.value, from: offer.origin, by: rule.lineage))
        }
        if values.count == start + 1 {
            values[start].rule = values[start].origin == .row ? .filledFromRow : .given
        }
    }

    /// Writes series names and numbers of one source in parallel: one number per name, or no numbers.
    private mutating func chooseSeries(_ candidates: ArraySlice<Candidate>) {
        let rule = policy[.seriesName]
        let source = source(.seriesName, by: rule, candidates)
        let isDisputed = offers.first(.seriesName) { $0.origin != source } != nil
        let lineage: MergeRule = source == .row ? .filledFromRow : isDisputed ? rule.lineage : .given
        let start = values.count
        append(.seriesName, from: source, lineage)
        let names = values.count - start
        guard offers.first(.seriesNumber, where: { $0.origin == source && !$0.value.isEmpty }) != nil else {
            return
        }
        append(.seriesNumber, from: source, lineage)
        while values.count < start + 2 * names {
            values.append(BookValue(.seriesNumber, .none, from: source, by: lineage))
        }
        values.removeLast(values.count - start - 2 * names)
    }

    private mutating func append(_ field: Field, from source: FieldOrigin, _ lineage: MergeRule) {
        var index = offers.firstIndex(field)
        while index >= 0 {
            let offer = offers[index]
            index = offer.next
            if offer.origin == source {
                values.append(BookValue(field, offer.value, from: source, by: lineage))
            }
        }
    }

    /// The source whose values are all taken, for rules other than union.
    private func source(_ field: Field, by rule: FieldRule, _ candidates: ArraySlice<Candidate>)
        -> FieldOrigin
    {
        if case .prefer(let provider) = rule,
            let preferred = offers.first(field, where: { self.provider(of: $0, candidates) == provider })
        {
            return preferred.origin
        }
        return offers[offers.firstIndex(field)].origin
    }

    private func provider(of offer: Offer, _ candidates: ArraySlice<Candidate>) -> Provider? {
        guard case .candidate(let index) = offer.origin else { return nil }
        return candidates[candidates.startIndex + Int(index)].provider
    }

    /// The first full date in the year of an offer that is only a year, or the offer itself.
    private func finer(than offer: Offer) -> Offer {
        offers.first(.publicationDate) { other in
            arena.withBytes(offer.value) { year in
                arena.withBytes(other.value) { PublicationDate.refines($0, year) }
            }
        } ?? offer
    }

    /// The first offer with the highest score.
    private func best(_ field: Field, _ first: Offer, _ score: (Offer) -> Int64) -> Offer {
        var best = first
        var highest = score(first)
        offers.forEach(field) { offer in
            let value = score(offer)
            if value > highest { (best, highest) = (offer, value) }
        }
        return best
    }

    private func scalarCount(_ text: Text) -> Int {
        arena.withBytes(text) { bytes in bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) } }
    }

    /// A number that grows with a normalized year or date. A year without month and day sorts before its
    /// dates.
    private func dateOrder(_ text: Text) -> Int64 {
        arena.withBytes(text) { bytes in
            if let date = PublicationDate(bytes) {
                let day = date.monthDay.map { $0.month * 100 + $0.day } ?? 0
                return Int64(date.year * 10_000 + day)
            }
            return Int64(YearText.read(bytes) ?? 0) * 10_000
        }
    }
}
