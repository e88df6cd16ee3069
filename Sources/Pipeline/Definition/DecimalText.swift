/// A decimal number times a unit, without going through floating point.
enum DecimalText {
    /// `1.5` times 1,000 is 1,500. nil unless it is digits with at most one point between them and the
    /// product is a whole number that fits.
    static func parse(_ text: some StringProtocol, times unit: Int) -> Int? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, isDigits(whole), let integer = Int(whole) else { return nil }
        let (product, overflow) = integer.multipliedReportingOverflow(by: unit)
        guard !overflow else { return nil }
        guard parts.count == 2 else { return product }
        // Nine digits after the point are a billionth of the unit: more is not meant.
        guard isDigits(parts[1]), parts[1].count <= 9, let fraction = Int(parts[1]) else { return nil }
        let scale = (0..<parts[1].count).reduce(1) { power, _ in power * 10 }
        let (scaled, tooLarge) = fraction.multipliedReportingOverflow(by: unit)
        guard !tooLarge, scaled.isMultiple(of: scale) else { return nil }
        let (sum, sumTooLarge) = product.addingReportingOverflow(scaled / scale)
        return sumTooLarge ? nil : sum
    }

    private static func isDigits(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
