/// A date of publication in what libraries, shops and people write: `2001-03-05`, `March 2001`, `c1999`,
/// `[1987?]`, `December 31, 1994`, `31.12.1994`.
///
/// Only a date that names day, month and year in one way is a whole date; everything else is its year
/// (contract.md section 3). The year has four digits, 1000–2199.
package struct PublicationDate: Equatable {
    var year: Int
    /// Month and day of a whole date.
    var monthDay: MonthDay?
    /// Where in the text the four digits of the year begin.
    var yearOffset: Int
    /// Whether the text at ``yearOffset`` goes on as `-MM-DD`, so that the date can be cut out of it.
    var standsAsISO: Bool

    struct MonthDay: Equatable {
        var month: Int
        var day: Int
    }

    /// Reads the bytes of a date; nil where they name no year.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        if let plain = Self.plainYear(bytes) {
            self = plain
            return
        }
        var scan = FreeTextDateScan(bytes)
        guard let year = scan.takeYear() else { return nil }
        self.init(year: year.value, offset: year.offset)
        guard let found = scan.monthDay(year: year), Self.exists(year.value, found) else { return }
        monthDay = found
        standsAsISO = scan.isISO(from: year.offset)
    }

    private init(year: Int, offset: Int) {
        self.year = year
        yearOffset = offset
        standsAsISO = false
    }

    /// The commonest case: four digits and nothing else.
    private static func plainYear(_ bytes: UnsafeRawBufferPointer) -> PublicationDate? {
        guard bytes.count == 4 else { return nil }
        var value = 0
        for byte in bytes {
            guard byte &- 48 < 10 else { return nil }
            value = value * 10 + Int(byte - 48)
        }
        return years.contains(value) ? PublicationDate(year: value, offset: 0) : nil
    }

    static let years = 1000...2199

    private static func exists(_ year: Int, _ date: MonthDay) -> Bool {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...12).contains(date.month) && (1...days[date.month - 1]).contains(date.day)
    }

    /// Appends `YYYY-MM-DD` or `YYYY`.
    package func append(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: String(year).utf8)
        guard let monthDay else { return }
        for part in [monthDay.month, monthDay.day] {
            bytes.append(UInt8(ascii: "-"))
            bytes.append(UInt8(48 + part / 10))
            bytes.append(UInt8(48 + part % 10))
        }
    }
}
