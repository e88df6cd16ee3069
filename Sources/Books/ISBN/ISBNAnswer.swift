/// Known facts about one text as an ISBN.
package struct ISBNAnswer: Sendable, Hashable {
    /// The requested conversion.
    package enum Conversion: Sendable, CaseIterable {
        case check
        case toThirteen
        case toTen
        case hyphenate
        /// Completes nine or twelve digits to an ISBN.
        case checkDigit
    }

    /// Whether the question was answered.
    package private(set) var isAnswered: Bool
    /// The text the user typed.
    package let input: String
    /// `valid`, `repaired` or `impossible`. Empty text is impossible.
    package let verdict: String
    /// The ISBN-13; nil if there is no answer.
    package private(set) var isbn13: String?
    /// The ISBN-10; only numbers with prefix 978 have one.
    package private(set) var isbn10: String?
    /// The ISBN-13 with hyphens.
    package private(set) var hyphenated: String?
    /// The ISBN-10 with hyphens.
    package private(set) var hyphenated10: String?
    /// The check digit for nine or twelve digits.
    package private(set) var checkDigit: String?
    /// The rule that repaired the number.
    package private(set) var rule: String?
    /// Why there is no answer, as a stable code.
    package private(set) var reason: String?
    /// The ISBN-13 the user may have meant.
    package private(set) var proposal: String?
    /// The reason or the repair in one sentence.
    package private(set) var message: String?

    /// Converts or checks a text.
    ///
    /// - Parameters:
    ///   - conversion: Operation: check it, convert it, or compute its check digit.
    ///   - input: The text the user typed, in any notation that exports use.
    ///   - ranges: The ranges that determine where hyphens go; by default the built-in table.
    package init(_ conversion: Conversion, _ input: String, ranges: ISBNRangeTable = .builtIn) {
        self.input = input
        var verdict = conversion == .checkDigit ? nil : ISBNReader.read(input)
        // A row without an ISBN is fine, but an empty argument is not an ISBN.
        if verdict == .absent { verdict = .impossible(ISBNFault(.notANumber)) }
        let body = ISBNBody(input)
        self.verdict = verdict?.name ?? (body == nil ? "impossible" : "valid")
        let isbn = verdict?.isbn ?? (conversion == .checkDigit ? body?.isbn : nil)
        isAnswered = isbn != nil
        if conversion == .check || conversion == .checkDigit { checkDigit = body?.checkDigit }
        explain(verdict, body)
        guard let isbn else { return }
        isbn13 = isbn.isbn13
        isbn10 = isbn.isbn10
        if conversion == .toTen, !isbn.hasISBN10 {
            refuse("no_isbn10", "Only ISBNs with prefix 978 have an ISBN-10.")
        }
        if conversion == .hyphenate { hyphenate(isbn, ranges) }
    }

    private mutating func explain(_ verdict: ISBNVerdict?, _ body: ISBNBody?) {
        switch verdict {
        case .repaired(_, let rule): (self.rule, message) = (rule.name, rule.sentence)
        case .impossible(let fault):
            (reason, message) = (fault.reason.rawValue, fault.reason.sentence)
            proposal = fault.proposal?.isbn13
        case nil where body == nil:
            reason = ISBNFault.Reason.wrongLength.rawValue
            message = "Enter nine digits, or twelve that start with 978 or 979, to compute a check digit."
        default: break
        }
    }

    private mutating func hyphenate(_ isbn: ISBN, _ ranges: ISBNRangeTable) {
        hyphenated = ranges.hyphenated(isbn)
        guard hyphenated != nil else {
            return refuse(
                "unknown_range", "The range table has no entry for this number's group or publisher.")
        }
        hyphenated10 = ranges.hyphenatedTen(isbn)
    }

    private mutating func refuse(_ reason: String, _ message: String) {
        isAnswered = false
        (self.reason, self.message) = (reason, message)
    }
}

/// An ISBN without its check digit: nine digits, or twelve that start with 978 or 979.
struct ISBNBody {
    let checkDigit: String
    /// The complete number; nil for fillers.
    let isbn: ISBN?

    /// Parses digits, ignoring hyphens and blanks.
    init?(_ input: String) {
        let digits = input.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        guard digits.count <= 12 else { return nil }
        let number = ISBNDigits.number(digits)
        switch digits.count {
        case 9:
            checkDigit = String(UnicodeScalar(ISBNCheckDigit.ofTen(number))).uppercased()
            isbn = ISBN(body: number)
        case 12 where ISBN.isBook(number * 10):
            let digit = ISBNCheckDigit.ofThirteen(number)
            checkDigit = String(digit)
            isbn = ISBN(number: number * 10 + Int64(digit))
        default: return nil
        }
    }
}
