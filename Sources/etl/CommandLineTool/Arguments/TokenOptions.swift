package import Books
import Contract
import Jobs
import Pipeline

/// The options and arguments of `etl token`.
package enum TokenOptions {
    /// The time that a token is valid.
    package enum Expiry: Sendable, Hashable {
        case days(Int)
        case date(CalendarDate)

        /// Nil for a text that is neither a number of days nor a date such as `2027-01-31`.
        init?(_ text: String) {
            if let days = Int(text), (1...36_500).contains(days) {
                self = .days(days)
            } else if let date = CalendarDate(text), date.description == text, date.day > 0 {
                self = .date(date)
            } else {
                return nil
            }
        }

        /// The last day, in UTC.
        ///
        /// - Parameter now: Milliseconds since 1970.
        /// - Returns: Nil for a day after the year 9999.
        package func day(after now: Int64) -> CalendarDate? {
            switch self {
            case .date(let date): date
            case .days(let days): CalendarDate.tomorrow(of: now + Int64(days - 1) * 86_400_000)
            }
        }
    }

    package static let name = Argument.one("NAME", "Name of the token's holder, without blanks")
    package static let existing = Argument.one("NAME", "Name of a token")
    package static let scope = Option.repeated(
        "scope", "SCOPE", of: ["search", "import", "admin"], "What the token allows",
        defaultText: "search and import")
    package static let library = Option.parsed(
        "library", "NAME", mustBe: "a name of up to 64 characters, without blanks",
        "Library that its imports go into",
        defaultText: "the one that each import names"
    ) { isWord($0) && $0 != "-" ? $0 : nil }.composed()
    package static let expires = Option.parsed(
        "expires", "DATE|DAYS", mustBe: "a date such as 2027-01-31, or a number of days",
        "Last day on which the token is valid, or the number of days", parse: Expiry.init)

    private static let tokens = ServeOptions.tokens
    /// The path of the file.
    package static func file(_ arguments: ParsedArguments) -> String { arguments[tokens] ?? "" }
    static let place = [tokens.spec]
    static let printing = place + [StoreOptions.json.spec]

    static func isWord(_ text: String) -> Bool {
        !text.isEmpty && TextRule.library.accepts(text) && !text.contains { $0.isWhitespace || $0.isNewline }
    }

    static func objection(_ arguments: ParsedArguments, _ command: String) -> Objection? {
        if arguments[tokens] == nil { return .needs("etl token \(command)", "`--tokens`") }
        guard command == "add" else { return nil }
        return JobName.isValid(arguments[name]) ? nil : "The name of a token has \(JobName.words)."
    }
}
