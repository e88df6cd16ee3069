/// What all candidates of one row, and the row itself, offer: for each field its values in the providers' order.
///
/// One growing array with a chain a field, used again for every row, so that a row allocates nothing.
struct FieldOffers {
    struct Offer {
        var value: Text
        var origin: Origin
        /// Whether the value was brought into its canonical form.
        var isNormalized: Bool
        fileprivate var next: Int32
    }

    private(set) var offers: [Offer] = []
    private var first = [Int32](repeating: -1, count: 128)
    private var last = [Int32](repeating: -1, count: 128)
    /// Fields that have an offer.
    private(set) var fields = FieldSet()

    mutating func removeAll() {
        offers.removeAll(keepingCapacity: true)
        fields = FieldSet()
    }

    mutating func add(_ field: Field, _ value: Text, from origin: Origin, isNormalized: Bool = false) {
        let raw = Int(field.rawValue)
        let index = Int32(offers.count)
        offers.append(Offer(value: value, origin: origin, isNormalized: isNormalized, next: -1))
        if fields.contains(field) {
            offers[Int(last[raw])].next = index
        } else {
            fields.insert(field)
            first[raw] = index
        }
        last[raw] = index
    }

    /// A field's first offer; the field must have one.
    func first(_ field: Field) -> Offer { offers[Int(first[Int(field.rawValue)])] }

    /// Whether a field has exactly one offer.
    func isSingle(_ field: Field) -> Bool {
        fields.contains(field) && first[Int(field.rawValue)] == last[Int(field.rawValue)]
    }

    /// A field's offers in order.
    func all(_ field: Field) -> Chain {
        Chain(offers: offers, upcoming: fields.contains(field) ? first[Int(field.rawValue)] : -1)
    }

    struct Chain: Sequence, IteratorProtocol {
        fileprivate let offers: [Offer]
        fileprivate var upcoming: Int32

        mutating func next() -> Offer? {
            guard upcoming >= 0 else { return nil }
            let offer = offers[Int(upcoming)]
            upcoming = offer.next
            return offer
        }
    }
}
