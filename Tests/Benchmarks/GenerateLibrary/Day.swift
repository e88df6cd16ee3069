/// A calendar day; months have 28 of them here.
struct Day {
    let year: Int
    let month: Int
    let day: Int

    /// - Parameter number: Days since the first of 2010.
    init(number: Int) {
        year = 2010 + number / 336
        month = 1 + number % 336 / 28
        day = 1 + number % 28
    }
}
