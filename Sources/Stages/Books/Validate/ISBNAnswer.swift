/// What is known of one text that should be an ISBN: the answer of `etl isbn`.
public struct ISBNAnswer: Sendable, Hashable {
    /// What is asked.
    public enum Question: String, Sendable, CaseIterable {
        case check
        case toThirteen = "to13"
        case toTen = "to10"
        case hyphenate
        /// Completes the first nine or twelve digits of an ISBN.
        case checkDigit = "check-digit"
    }

    /// Whether the question was answered.
    public private(set) var isAnswered: Bool
    /// What was typed.
    public let input: String
    /// `valid`, `repaired` or `impossible`; an empty text is no ISBN either.
    public let verdict: String
    /// The number in both forms, as far as they exist.
    public private(set) var isbn13: String?
    /// An ISBN-10 exists only for numbers that begin with 978.
    public private(set) var isbn10: String?
    /// The number with hyphens, in both forms.
    public private(set) var hyphenated: String?
    /// The ISBN-10 with hyphens.
    public private(set) var hyphenated10: String?
    /// The digit that completes nine or twelve digits.
    public private(set) var checkDigit: String?
    /// The rule by which the number was repaired.
    public private(set) var rule: String?
    /// Why there is no answer: a stable code.
    public private(set) var reason: String?
    /// The ISBN-13 that may be meant.
    public private(set) var proposal: String?
    /// Reason or repair in one sentence.
    public private(set) var message: String?

    /// Answers a question.
    ///
    /// - Parameters:
    ///   - input: What was typed, in any notation that exports use.
    ///   - ranges: Where hyphens go; the agency's table in the binary unless a newer one was read.
    public init(_ question: Question, _ input: String, ranges: ISBNRangeTable = .builtIn) {
        self.input = input
        var verdict = question == .checkDigit ? nil : ISBNReader.read(input)
        // A row without an ISBN lacks nothing; who asks whether nothing is one is told that it is none.
        if verdict == .absent { verdict = .impossible(ISBNFault(.notANumber)) }
        let stem = ISBNStem(input)
        self.verdict = verdict?.name ?? (stem == nil ? "impossible" : "valid")
        let isbn = verdict?.isbn ?? (question == .checkDigit ? stem?.isbn : nil)
        isAnswered = isbn != nil
        if question == .check || question == .checkDigit { checkDigit = stem?.checkDigit }
        explain(verdict, stem)
        guard let isbn else { return }
        isbn13 = isbn.isbn13
        isbn10 = isbn.isbn10
        if question == .toTen, !isbn.hasISBN10 {
            refuse("no_isbn10", "Only ISBNs that begin with 978 have an ISBN-10.")
        }
        if question == .hyphenate { hyphenate(isbn, ranges) }
    }

    private mutating func explain(_ verdict: ISBNVerdict?, _ stem: ISBNStem?) {
        switch verdict {
        case .repaired(_, let rule): (self.rule, message) = (rule.name, rule.sentence)
        case .impossible(let fault):
            (reason, message) = (fault.reason.rawValue, fault.reason.sentence)
            proposal = fault.proposal?.isbn13
        case nil where stem == nil:
            reason = ISBNFault.Reason.wrongLength.rawValue
            message = "A check digit belongs to nine digits, or to twelve that begin with 978 or 979."
        default: break
        }
    }

    private mutating func hyphenate(_ isbn: ISBN, _ ranges: ISBNRangeTable) {
        hyphenated = ranges.hyphenated(isbn)
        guard hyphenated != nil else {
            return refuse("unknown_range", "The range table does not know this number's group or publisher.")
        }
        hyphenated10 = ranges.hyphenatedTen(isbn)
    }

    private mutating func refuse(_ reason: String, _ message: String) {
        isAnswered = false
        (self.reason, self.message) = (reason, message)
    }
}

/// An ISBN without its check digit: nine digits, or twelve that begin with 978 or 979.
struct ISBNStem {
    let checkDigit: String
    /// The whole number; nil for the fillers.
    let isbn: ISBN?

    /// Digits with hyphens and blanks between them.
    init?(_ input: String) {
        let digits = input.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        let number = ISBNDigits.number(digits)
        switch digits.count {
        case 9:
            checkDigit = String(UnicodeScalar(ISBNCheckDigit.ofTen(number))).uppercased()
            isbn = ISBN(stem: number)
        case 12 where ISBN.isBook(number * 10):
            let digit = ISBNCheckDigit.ofThirteen(number)
            checkDigit = String(digit)
            isbn = ISBN(number: number * 10 + Int64(digit))
        default: return nil
        }
    }
}
