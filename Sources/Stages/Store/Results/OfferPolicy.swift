import Books

/// Whether an offered value replaces a stored one, beyond the rules of ``StoredRow``.
struct OfferPolicy {
    /// Whether stored values stay.
    var onlyFills: Bool
    /// Completeness of the offered and the stored record, 0–100, if a provider's value is only replaced by a better
    /// one; nil if a newer one replaces it.
    var quality: (offered: Int64, stored: Int64)?
    /// Whether a provider's value replaces one of any provider: the stored ones may be about another edition.
    var replacesProviders = false

    /// Whether an offered value is better than one of a provider: it says more, or as much and its record is more
    /// complete.
    func isBetter(_ value: String, than present: String, of field: Field) -> Bool {
        guard let quality else { return true }
        let (new, old) = (Self.detail(value, field), Self.detail(present, field))
        return new == old ? quality.offered > quality.stored : new > old
    }

    /// Amount of detail in a value: the parts of a date, the elements of a list, the length of a description.
    /// Other values say as much as any.
    private static func detail(_ value: String, _ field: Field) -> Int {
        switch field {
        case .publicationDate: value.utf8.count
        case .description, .editionDescription: value.count
        case .seriesName: StoredSeries.read(value).count
        case _ where field.isList: StoredList.strings(value).count
        default: 0
        }
    }
}
