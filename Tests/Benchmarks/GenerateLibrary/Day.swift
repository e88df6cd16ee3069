/// A calendar day; all months have 28 days here.
struct Day {
    let year: Int
    let month: Int
    let day: Int

    /// - Parameter number: Days since 1 January 2010.
    init(number: Int) {
        year = 2010 + number / 336
        month = 1 + number % 336 / 28
        day = 1 + number % 28
    }
}
