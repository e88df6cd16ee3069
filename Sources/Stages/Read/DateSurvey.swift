/// What the dates of a file tell all together: whether day or month comes first in them, and how old the file is.
///
/// A spreadsheet writes dates as its owner's country does, and only some of them can be read in one way alone. One
/// that can tells of all the others: `10/16/2020` has no day but the second number, so `9/2/2020` beside it is the
/// second of September. What the reader says of them goes before that.
package struct DateSurvey: Sendable {
    /// What the reader says; nil where the dates themselves tell.
    package let told: DateOrder?
    /// The first date that has the day, or the month, in first place and could not have it in the other, as it stands.
    private var dayFirst: String?
    private var monthFirst: String?
    /// The first date that is another one in the other order, as it stands.
    private var open: String?
    private var openCount = 0
    /// The latest date on which something was added or read, in either order.
    private var newestDayFirst: CalendarDate?
    private var newestMonthFirst: CalendarDate?

    init(told: DateOrder? = nil) { self.told = told }

    /// The order in which the dates of the file are read, but for those that can only be read in the other one: where
    /// nothing tells, or not all tell the same, the day comes first.
    package var order: DateOrder {
        told ?? (monthFirst != nil && dayFirst == nil ? .monthFirst : .dayFirst)
    }

    /// The latest date on which something was added or read; nil where no record has such a date.
    package var newest: CalendarDate? { order == .monthFirst ? newestMonthFirst : newestDayFirst }

    /// What the order is told by; nil where no date depends on it, and nobody has said it.
    package var evidence: String? {
        if let told {
            let contrary = told == .dayFirst ? monthFirst : dayFirst
            return contrary.map { "As told, but for what can only be read in the other way, as \($0)." }
                ?? "As told."
        }
        return switch (dayFirst, monthFirst) {
        case (let day?, nil): "\(day) can be read in no other way."
        case (nil, let month?): "\(month) can be read in no other way."
        case (let day?, let month?): "\(day) and \(month) are of both kinds: no date tells of another."
        case (nil, nil): open.map { "Usual; no date tells, as \($0) may be read in both ways." }
        }
    }

    /// What the reader should be told where dates may have been read wrongly; nil where all is sure.
    func doubt(in file: String) -> String? {
        guard told == nil, let open, (dayFirst == nil) == (monthFirst == nil),
            let read = Array(open.utf8).withUnsafeBytes({ CalendarDate($0, order) })
        else { return nil }
        let dates = openCount == 1 ? "1 date" : "\(openCount) dates"
        let reason =
            if let dayFirst, let monthFirst { "\(dayFirst) and \(monthFirst) stand beside each other" } else {
                "no date of it tells which"
            }
        return
            "\(dates) of \(file) may have the day or the month first, and \(reason). The day was taken to come "
            + "first: \(open) was read as \(read). If that is wrong, import the file with --dates "
            + "\(order.opposite.rawValue), and with --replace if it was imported already; --dates "
            + "\(order.rawValue) says that it is right."
    }

    /// Takes in the cell of a date, perhaps in the brackets that LibraryThing puts around it, perhaps with several.
    ///
    /// - Parameters:
    ///   - tellsAge: Whether it is one of those that tell how old the file is.
    ///   - latest: Dates behind it are slips of the pen, and tell nothing of the file's age.
    mutating func note(_ cell: UnsafeRawBufferPointer, tellsAge: Bool, until latest: CalendarDate?) {
        var bytes = cell
        if bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]"), bytes.count > 1 {
            bytes = UnsafeRawBufferPointer(rebasing: bytes[1..<bytes.count - 1])
        }
        guard let date = WrittenDate(bytes) else {
            for part in bytes.split(whereSeparator: Self.partsDates) {
                let part = UnsafeRawBufferPointer(rebasing: part)
                if let date = WrittenDate(part) { note(orderOf: date, part) }
            }
            return
        }
        note(orderOf: date, bytes)
        guard tellsAge else { return }
        Self.raise(&newestDayFirst, to: date.date(.dayFirst), until: latest)
        Self.raise(&newestMonthFirst, to: date.date(.monthFirst), until: latest)
    }

    /// What stands between several dates in a cell.
    private static func partsDates(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "-"): true
        default: false
        }
    }

    private mutating func note(orderOf date: WrittenDate, _ bytes: UnsafeRawBufferPointer) {
        guard date.hasOrder else { return }
        // Without a time of day behind it.
        func text() -> String {
            String(decoding: bytes[bytes.trimmedBlanks].prefix { $0 > 0x20 && $0 < 0x40 }, as: UTF8.self)
        }
        switch date.proof {
        case .dayFirst: dayFirst = dayFirst ?? text()
        case .monthFirst: monthFirst = monthFirst ?? text()
        case nil where date.isOpen:
            open = open ?? text()
            openCount += 1
        case nil: break
        }
    }

    private static func raise(
        _ newest: inout CalendarDate?, to date: CalendarDate?, until latest: CalendarDate?
    ) {
        guard let date, latest.map({ date <= $0 }) ?? true else { return }
        if newest.map({ $0 < date }) ?? true { newest = date }
    }
}
