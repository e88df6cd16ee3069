package import Books
import Bytes
import System

/// Findings of all dates of a file: whether day or month comes first, and the file's age.
///
/// A spreadsheet writes dates in the format of its owner's country, and many can be read in both orders.
/// Those that can be read in only one way decide for the others: in `10/16/2020` only the second number can
/// be the day, so `9/2/2020` in the same file is the second of September. An order given by the user
/// overrides this.
package struct DateSurvey: Sendable {
    /// The order given by the user; nil to determine it from the dates.
    package let explicit: DateOrder?
    /// The proven date order of the file that this list was made from. It counts like a date that proves the
    /// order.
    private let known: DateOrder?
    /// The first date that can only be read with the day (or the month) first, as written.
    private var dayFirst: String?
    private var monthFirst: String?
    /// The first date that can be read in both orders, as written.
    private var ambiguous: String?
    private var ambiguousCount = 0
    /// The first date, as written, that is in the future if read with the day first, and not if read with the
    /// month first.
    private var futureDate: String?
    /// The latest date on which something was added or read, for either order.
    private var newestDayFirst: CalendarDate?
    private var newestMonthFirst: CalendarDate?

    /// Dates on which nobody can have read or bought a book, and the first ones as written.
    private var improbable = 0
    private var improbableExamples: [String] = []

    package init(explicit: DateOrder? = nil, known: DateOrder? = nil) {
        self.explicit = explicit
        self.known = known
    }

    private var provesDayFirst: Bool { dayFirst != nil || known == .dayFirst }
    private var provesMonthFirst: Bool { monthFirst != nil || known == .monthFirst }

    /// The order used for all dates of the file that can be read both ways. Day first if the dates prove
    /// nothing or contradict each other.
    package var order: DateOrder {
        explicit ?? (provesMonthFirst && !provesDayFirst ? .monthFirst : .dayFirst)
    }

    /// The order that the file's dates prove; nil if they prove neither or both.
    package var proven: DateOrder? {
        (dayFirst == nil) == (monthFirst == nil) ? nil : dayFirst == nil ? .monthFirst : .dayFirst
    }

    /// Whether dates can be read in both orders and nothing decides between them.
    package var isDoubtful: Bool { explicit == nil && ambiguous != nil && provesDayFirst == provesMonthFirst }

    /// The latest date on which something was added or read; nil if no record has such a date.
    package var newest: CalendarDate? { order == .monthFirst ? newestMonthFirst : newestDayFirst }

    /// Why this order was chosen, as a sentence; nil if no date depends on it and the user gave none.
    package var evidence: String? {
        if let explicit {
            let contrary = explicit == .dayFirst ? monthFirst : dayFirst
            return contrary.map {
                "As specified, except for dates such as \($0), which can only be read as \(explicit == .dayFirst ? "month" : "day") first."
            }
                ?? "As specified."
        }
        return switch (dayFirst, monthFirst) {
        case (let day?, nil): "\(day) can only be read this way."
        case (nil, let month?): "\(month) can only be read this way."
        case (let day?, let month?): "\(day) and \(month) contradict each other."
        case (nil, nil):
            ambiguous.map { "The default: no date shows the order; \($0) can be read both ways." }
        }
    }

    /// The warning that dates may have been read incorrectly; nil if the order is certain.
    func doubt(in file: String) -> UserWarning? {
        guard isDoubtful, let example = futureDate ?? ambiguous,
            let read = Array(example.utf8).withUnsafeBytes({ CalendarDate($0, order) })
        else { return nil }
        let future = futureDate == nil ? "" : ", a date in the future"
        let first = order == .monthFirst ? "month" : "day"
        return UserWarning(
            "\(question(in: file)): \(example) was read as \(read)\(future) (\(first) first). \(reason)",
            advice: """
                If that is wrong, import the file with \(UserSetting.dates(order.opposite)) \(UserSetting.restart). To \
                silence this warning, use \(UserSetting.dates(order)).
                """)
    }

    /// The same for a corrected list of a job's errors. A record can be corrected only once, so doubtful
    /// dates stay rejected.
    package func doubt(inList file: String, ofJob job: String) -> UserWarning? {
        guard isDoubtful else { return nil }
        let records = ambiguousCount == 1 ? "Its row stays" : "Their rows stay"
        return UserWarning(
            "\(question(in: file)). \(reason) \(records) rejected.",
            advice: """
                Specify the order: \(UserCommand.importCorrected(job: job, dates: .monthFirst)), or \
                \(UserSetting.dates(.dayFirst)).
                """)
    }

    private func question(in file: String) -> String {
        "`\(file)` has \(ambiguousCount == 1 ? "1 ambiguous date" : "\(ambiguousCount) ambiguous dates")"
    }

    /// Why the order is not certain, in one sentence.
    private var reason: String {
        if let dayFirst, let monthFirst { return "\(dayFirst) and \(monthFirst) show different orders." }
        if known != nil, let contrary = dayFirst ?? monthFirst {
            return "\(contrary) contradicts the dates of the imported file."
        }
        return "No date shows the order."
    }

    /// Forgets the dates that can be read in both orders, but keeps the proven order.
    package mutating func forgetAmbiguous() { (ambiguous, ambiguousCount, futureDate) = (nil, 0, nil) }

    /// Whether a cell holds a date that can be read in both orders.
    package static func isAmbiguous(_ cell: UnsafeRawBufferPointer) -> Bool {
        var survey = DateSurvey()
        survey.note(cell, showsAge: false, until: nil)
        return survey.ambiguous != nil
    }

    /// Takes in a date cell. It may be in square brackets (LibraryThing) and may hold several dates.
    ///
    /// - Parameters:
    ///   - showsAge: Whether the date counts for the age of the file.
    ///   - latest: Later dates are typing errors and do not count for the age of the file.
    package mutating func note(_ cell: UnsafeRawBufferPointer, showsAge: Bool, until latest: CalendarDate?) {
        var bytes = cell
        if bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]"), bytes.count > 1 {
            bytes = UnsafeRawBufferPointer(rebasing: bytes[1..<bytes.count - 1])
        }
        guard let date = DateText(bytes) else {
            for part in bytes.split(whereSeparator: Self.separatesDates) {
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

    /// Whether the byte separates several dates in one cell.
    private static func separatesDates(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "-"): true
        default: false
        }
    }

    /// The warning about dates in the future and long ago; nil if there are none.
    func improbableDates(in file: String) -> UserWarning? {
        guard improbable > 0 else { return nil }
        let rest = improbable > improbableExamples.count ? " and others" : ""
        return UserWarning(
            """
            `\(file)` has \(improbable == 1 ? "1 date" : "\(improbable) dates") in the future or before 1900: \
            \(improbableExamples.joined(separator: ", "))\(rest). They are kept, but count in no year of reading.
            """,
            advice: "Correct them in the program that the file comes from, and export it again.")
    }

    private mutating func noteImprobable(
        _ date: DateText, _ bytes: UnsafeRawBufferPointer, until latest: CalendarDate?
    ) {
        guard date.year < 1_900 || date.year >= latest?.year ?? 2_100 else { return }
        let days = [DateOrder.dayFirst, .monthFirst].compactMap { date.date($0) }
        guard let day = days.min(), day.year < 1_900 || latest.map({ day > $0 }) ?? true else { return }
        improbable += 1
        if improbableExamples.count < 3 {
            let text = bytes[bytes.trimmedBlanks].prefix(20)
            improbableExamples.append(String(decoding: text, as: UTF8.self))
        }
    }

    private mutating func note(
        orderOf date: DateText, _ bytes: UnsafeRawBufferPointer, until latest: CalendarDate?
    ) {
        noteImprobable(date, bytes, until: latest)
        guard date.hasOrder else { return }
        // Without a time of day after it.
        func text() -> String {
            String(decoding: bytes[bytes.trimmedBlanks].prefix { $0 > 0x20 && $0 < 0x40 }, as: UTF8.self)
        }
        switch date.proof {
        case .dayFirst: dayFirst = dayFirst ?? text()
        case .monthFirst: monthFirst = monthFirst ?? text()
        case nil where date.isAmbiguous:
            ambiguous = ambiguous ?? text()
            ambiguousCount += 1
            // This is only mentioned and decides nothing. Otherwise the same file would be read differently
            // on another day.
            if futureDate == nil, let latest, let read = date.date(.dayFirst), read > latest,
                let other = date.date(.monthFirst), other <= latest
            {
                futureDate = text()
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
    /// Whether its dates show how old an export is.
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
