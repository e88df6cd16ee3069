import Bytes

/// What all candidates of one row, and the row itself, offer: for each field its values in the providers'
/// order.
///
/// One growing array with a chain a field, used again for every row, so that a row allocates nothing.
struct FieldCandidates {
    struct Offer {
        var value: Text
        var origin: FieldOrigin
        /// Whether the value was brought into its canonical form.
        var isNormalized: Bool
        /// Index of the field's next offer, −1 behind the last.
        fileprivate(set) var next: Int32
    }

    private var offers: [Offer] = []
    private var first = [Int32](repeating: -1, count: 128)
    private var last = [Int32](repeating: -1, count: 128)
    /// Fields that have an offer.
    private(set) var fields = FieldSet()

    mutating func removeAll() {
        offers.removeAll(keepingCapacity: true)
        fields = FieldSet()
    }

    mutating func add(_ field: Field, _ value: Text, from origin: FieldOrigin, isNormalized: Bool = false) {
        let raw = Int(field.rawValue)
        let index = Int32(truncatingIfNeeded: offers.count)
        offers.append(Offer(value: value, origin: origin, isNormalized: isNormalized, next: -1))
        if fields.contains(field) {
            offers[Int(last[raw])].next = index
        } else {
            fields.insert(field)
            first[raw] = index
        }
        last[raw] = index
    }

    subscript(index: Int32) -> Offer { offers[Int(index)] }

    /// Index of a field's first offer, −1 where it has none.
    func firstIndex(_ field: Field) -> Int32 {
        fields.contains(field) ? first[Int(field.rawValue)] : -1
    }

    /// A field's first offer for which a condition holds.
    func first(_ field: Field, where holds: (Offer) -> Bool) -> Offer? {
        var index = firstIndex(field)
        while index >= 0 {
            let offer = self[index]
            if holds(offer) { return offer }
            index = offer.next
        }
        return nil
    }

    /// Hands a field's offers to `body`, in order.
    func forEach(_ field: Field, _ body: (Offer) -> Void) {
        _ = first(field) { offer in
            body(offer)
            return false
        }
    }
}

extension FieldCandidates.Offer {
    /// What lineage says of an offer that was taken.
    ///
    /// - Parameter alone: Whether there was no other.
    func lineage(by rule: FieldRule, alone: Bool) -> MergeRule {
        if origin == .row { return .filledFromRow }
        if isNormalized { return .normalized }
        return alone ? .given : rule.lineage
    }
}
