import Books

/// Distinct ISBNs.
enum MadeUpISBN {
    static func number(_ number: Int) -> ISBN? {
        let body = 978_100_000_001 + Int64(number)
        return ISBN(number: body * 10 + Int64(ISBNCheckDigit.ofThirteen(body)))
    }
}
