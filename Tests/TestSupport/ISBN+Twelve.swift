import Books

extension ISBN {
    /// The ISBN whose first twelve digits are these; fillers, which no text is read as, among them.
    package init(twelve: Int64) {
        self.init(unchecked: twelve * 10 + Int64(ISBNCheckDigit.ofThirteen(twelve)))
    }
}
