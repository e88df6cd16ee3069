/// Applies a field's rule to what was offered for it.
struct FieldChoice {
    let offers: FieldOffers
    let candidates: ArraySlice<Candidate>
    let arena: Arena

    /// The offer a rule picks for a field with one value, and what lineage says of it.
    func scalar(_ field: Field, by rule: FieldRule) -> (offer: FieldOffers.Offer, rule: MergeRule) {
        let first = offers.first(field)
        let chosen: FieldOffers.Offer =
            switch rule {
            case .priority, .union: first
            case .prefer(let provider): offers.all(field).first { self.provider(of: $0) == provider } ?? first
            case .longest: best(field) { Int64(scalarCount($0.value)) }
            case .majority: best(field) { offer in
                Int64(offers.all(field).count { arena.equal($0.value, offer.value) })
            }
            case .newest: best(field) { dateOrder($0.value) }
            case .earliest: best(field) { -dateOrder($0.value) }
            }
        return (chosen, chosen.lineage(by: rule, alone: offers.isSingle(field)))
    }

    /// The offers a rule picks for a field that repeats, each value once.
    func several(_ field: Field, by rule: FieldRule) -> (offers: [FieldOffers.Offer], rule: MergeRule) {
        var picked: [FieldOffers.Offer] = []
        let source: Origin? = rule == .union ? nil : oneSource(field, by: rule)
        for offer in offers.all(field) where source == nil || offer.origin == source {
            if picked.count > 64 { return (distinct(field, from: source), rule.lineage) }
            if !picked.contains(where: { arena.equal($0.value, offer.value) }) { picked.append(offer) }
        }
        return (picked, picked.count == 1 ? picked[0].lineage(by: rule, alone: true) : rule.lineage)
    }

    /// The candidate whose values a rule other than union takes whole.
    func oneSource(_ field: Field, by rule: FieldRule) -> Origin {
        if case .prefer(let provider) = rule,
            let preferred = offers.all(field).first(where: { self.provider(of: $0) == provider })
        {
            return preferred.origin
        }
        return offers.first(field).origin
    }

    /// The same for very many values: by a set instead of by comparing each with each.
    private func distinct(_ field: Field, from source: Origin?) -> [FieldOffers.Offer] {
        var seen: Set<[UInt8]> = []
        return offers.all(field).filter { offer in
            (source == nil || offer.origin == source) && seen.insert(arena.bytes(offer.value)).inserted
        }
    }

    private func provider(of offer: FieldOffers.Offer) -> Provider? {
        guard case .candidate(let index) = offer.origin else { return nil }
        return candidates[candidates.startIndex + Int(index)].provider
    }

    /// The first of the offers with the highest score.
    private func best(_ field: Field, _ score: (FieldOffers.Offer) -> Int64) -> FieldOffers.Offer {
        var best = offers.first(field)
        var highest = score(best)
        for offer in offers.all(field) {
            let value = score(offer)
            if value > highest { (best, highest) = (offer, value) }
        }
        return best
    }

    private func scalarCount(_ text: Text) -> Int {
        arena.withBytes(text) { bytes in bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) } }
    }

    /// A number that grows with a normalized year or date; a year without a day counts as its first.
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

extension FieldOffers.Offer {
    /// What lineage says of an offer that was taken.
    ///
    /// - Parameter alone: Whether there was no other.
    func lineage(by rule: FieldRule, alone: Bool) -> MergeRule {
        if origin == .row { return .filledFromRow }
        if isNormalized { return .normalized }
        return alone ? .given : rule.lineage
    }
}
