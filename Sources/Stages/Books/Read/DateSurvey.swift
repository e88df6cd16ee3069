import Bytes
package import Pipeline

/// What the dates of a file tell all together: whether day or month comes first in them, and how old the file is.
///
/// A spreadsheet writes dates as its owner's country does, and only some of them can be read in one way alone. One
/// that can tells of all the others: `10/16/2020` has no day but the second number, so `9/2/2020` beside it is the
/// second of September. What the reader says of them goes before that.
package struct DateSurvey: Sendable {
    /// What the reader says; nil where the dates themselves tell.
    package let explicit: DateOrder?
    /// How dates are read of the file that this one was made of, where that is sure: it counts as a date that tells.
    private let known: DateOrder?
    /// The first date that has the day, or the month, in first place and could not have it in the other, as it stands.
    private var dayFirst: String?
    private var monthFirst: String?
    /// The first date that is another one in the other order, as it stands.
    private var open: String?
    private var openCount = 0
    /// The first date, as it stands, that lies behind today where the day comes first in it, and not where the month does.
    private var toCome: String?
    /// The latest date on which something was added or read, in either order.
    private var newestDayFirst: CalendarDate?
    private var newestMonthFirst: CalendarDate?

    package init(explicit: DateOrder? = nil, known: DateOrder? = nil) {
        self.explicit = explicit
        self.known = known
    }

    private var provesDayFirst: Bool { dayFirst != nil || known == .dayFirst }
    private var provesMonthFirst: Bool { monthFirst != nil || known == .monthFirst }

    /// The order in which the dates of the file are read, but for those that can only be read in the other one: where
    /// nothing tells, or not all tell the same, the day comes first.
    package var order: DateOrder {
        explicit ?? (provesMonthFirst && !provesDayFirst ? .monthFirst : .dayFirst)
    }

    /// The order that dates of the file are proof of, and none of the other one.
    package var proven: DateOrder? {
        (dayFirst == nil) == (monthFirst == nil) ? nil : dayFirst == nil ? .monthFirst : .dayFirst
    }

    /// Whether there are dates that may be read in both ways, and nothing tells in which.
    package var isDoubtful: Bool { explicit == nil && open != nil && provesDayFirst == provesMonthFirst }

    /// The latest date on which something was added or read; nil where no record has such a date.
    package var newest: CalendarDate? { order == .monthFirst ? newestMonthFirst : newestDayFirst }

    /// What the order is told by; nil where no date depends on it, and nobody has said it.
    package var evidence: String? {
        if let explicit {
            let contrary = explicit == .dayFirst ? monthFirst : dayFirst
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
    func doubt(in file: String) -> UserText? {
        guard isDoubtful, let example = toCome ?? open,
            let read = Array(example.utf8).withUnsafeBytes({ CalendarDate($0, order) })
        else { return nil }
        let future = toCome == nil ? "" : ", a date in the future"
        return """
            \(question(in: file)) The day was assumed to come first: \(example) was read as \(read)\(future). If that \
            is wrong, import the file with \(UserSetting.dates(order.opposite)), and add \(UserSetting.restart) if the \
            import already started. If it is right, \(UserSetting.dates(order)) confirms it.
            """
    }

    /// The same of a mended list of a job's errors: a record is mended once, so that what may be wrong stays rejected.
    package func doubt(inList file: String, ofJob job: String) -> UserText? {
        guard isDoubtful else { return nil }
        let records = openCount == 1 ? "Its record stays" : "Their records stay"
        return """
            \(question(in: file)) \(records) rejected until you say which comes first: \
            \(UserCommand.importCorrected(job: job, dates: .monthFirst)), or \(UserSetting.dates(.dayFirst)).
            """
    }

    private func question(in file: String) -> String {
        let dates = openCount == 1 ? "1 date" : "\(openCount) dates"
        let reason =
            if let dayFirst, let monthFirst {
                "\(dayFirst) and \(monthFirst) stand beside each other"
            } else if known != nil, let contrary = dayFirst ?? monthFirst {
                "\(contrary) is of another kind than the dates of its file"
            } else {
                "no date of it tells which"
            }
        return "\(dates) of \(file) may have the day or the month first, and \(reason)."
    }

    /// Forgets the dates that may be read in both ways, and keeps what tells in which.
    package mutating func forgetOpen() { (open, openCount, toCome) = (nil, 0, nil) }

    /// Whether a cell holds a date that may be read in both ways.
    package static func isOpen(_ cell: UnsafeRawBufferPointer) -> Bool {
        var survey = DateSurvey()
        survey.note(cell, showsAge: false, until: nil)
        return survey.open != nil
    }

    /// Takes in the cell of a date, perhaps in the brackets that LibraryThing puts around it, perhaps with several.
    ///
    /// - Parameters:
    ///   - tellsAge: Whether it is one of those that tell how old the file is.
    ///   - latest: Dates behind it are slips of the pen, and tell nothing of the file's age.
    package mutating func note(_ cell: UnsafeRawBufferPointer, showsAge: Bool, until latest: CalendarDate?) {
        var bytes = cell
        if bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]"), bytes.count > 1 {
            bytes = UnsafeRawBufferPointer(rebasing: bytes[1..<bytes.count - 1])
        }
        guard let date = DateText(bytes) else {
            for part in bytes.split(whereSeparator: Self.partsDates) {
                let part = UnsafeRawBufferPointer(rebasing: part)
                if let date = DateText(part) { note(orderOf: date, part, until: latest) }
            }
            return
        }
        note(orderOf: date, bytes, until: latest)
        guard showsAge else { return }
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

    private mutating func note(
        orderOf date: DateText, _ bytes: UnsafeRawBufferPointer, until latest: CalendarDate?
    ) {
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
            // It is told, and decides nothing: on another day the same file would be read in another way.
            if toCome == nil, let latest, let read = date.date(.dayFirst), read > latest,
                let other = date.date(.monthFirst), other <= latest
            {
                toCome = text()
            }
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

/// A column that holds dates.
package struct DateColumn {
    package var column: Int
    /// Whether they tell how old an export is.
    var showsAge: Bool

    package static func all(of columns: ColumnMap) -> [DateColumn] {
        let fields: [LibraryField] = [.dateAdded, .dateRead, .dateStarted, .purchaseDate]
        return fields.compactMap { field in
            columns[field].map {
                DateColumn(column: $0, showsAge: field == .dateAdded || field == .dateRead)
            }
        }
    }
}
