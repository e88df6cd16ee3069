import Books
import Bytes

/// The values that a row and its candidates offer for each field, in the order of the providers.
///
/// One array with a linked list per field, reused for every row, so that a row allocates nothing.
struct FieldCandidates {
    struct Offer {
        var value: Text
        var origin: FieldOrigin
        /// Whether the value was converted to its canonical form.
        var isNormalized: Bool
        /// Index of the field's next offer; −1 after the last.
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

    /// Index of a field's first offer; −1 if it has none.
    func firstIndex(_ field: Field) -> Int32 {
        fields.contains(field) ? first[Int(field.rawValue)] : -1
    }

    /// A field's first offer that satisfies a condition.
    func first(_ field: Field, where holds: (Offer) -> Bool) -> Offer? {
        var index = firstIndex(field)
        while index >= 0 {
            let offer = self[index]
            if holds(offer) { return offer }
            index = offer.next
        }
        return nil
    }

    /// Calls `body` with each of a field's offers, in order.
    func forEach(_ field: Field, _ body: (Offer) -> Void) {
        _ = first(field) { offer in
            body(offer)
            return false
        }
    }
}

extension FieldCandidates.Offer {
    /// The rule that lineage stores for a chosen offer.
    ///
    /// - Parameter alone: Whether it was the only offer.
    func lineage(by rule: FieldRule, alone: Bool) -> MergeRule {
        if origin == .row { return .filledFromRow }
        if isNormalized { return .normalized }
        return alone ? .given : rule.lineage
    }
}
