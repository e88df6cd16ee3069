import Syntax

/// The answer of `etl isbn` to one input, as a line of NDJSON.
///
/// Keys, in this order: `input`, `verdict` (`valid`, `repaired`, `impossible`; an empty text is no ISBN either),
/// `isbn13`, `isbn10`, then what there is of `hyphenated`, `hyphenated10`, `checkDigit`, `rule`, `reason`, `proposal`,
/// `message`. What does not exist is left out.
public struct ISBNLine: Sendable, Equatable {
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
    public let isAnswered: Bool
    private let members: [(key: String, value: String)]

    /// Whether the lines are the same.
    public static func == (a: ISBNLine, b: ISBNLine) -> Bool { a.json == b.json }

    /// Answers a question.
    ///
    /// - Parameters:
    ///   - input: What was typed, in any notation that exports use.
    ///   - ranges: Where hyphens go; the agency's table in the binary unless a newer one was read.
    public init(_ question: Question, _ input: String, ranges: ISBNRangeTable = .builtIn) {
        var members = [("input", input)]
        var verdict = question == .checkDigit ? nil : ISBNReader.read(input)
        // A row without an ISBN lacks nothing; who asks whether nothing is one is told that it is none.
        if verdict == .absent { verdict = .impossible(ISBNFault(.notANumber)) }
        let stem = ISBNStem(input)
        members.append(("verdict", verdict?.name ?? (stem == nil ? "impossible" : "valid")))

        let isbn = verdict?.isbn ?? (question == .checkDigit ? stem?.isbn : nil)
        var answered = isbn != nil
        if let isbn {
            members.append(("isbn13", isbn.isbn13))
            if let ten = isbn.isbn10 { members.append(("isbn10", ten)) }
            if question == .toTen, !isbn.hasISBN10 {
                answered = false
                members.append(("reason", "no_isbn10"))
                members.append(("message", "Only ISBNs that begin with 978 have an ISBN-10."))
            }
        }
        if question == .hyphenate, let isbn {
            if let thirteen = ranges.hyphenated(isbn) {
                members.append(("hyphenated", thirteen))
                if let ten = ranges.hyphenatedTen(isbn) { members.append(("hyphenated10", ten)) }
            } else {
                answered = false
                members.append(("reason", "unknown_range"))
                members.append(("message", "The range table does not know this number's group or publisher."))
            }
        }
        if question == .check || question == .checkDigit, let stem {
            members.append(("checkDigit", stem.checkDigit))
        }
        switch verdict {
        case .repaired(_, let rule): members += [("rule", rule.name), ("message", rule.sentence)]
        case .impossible(let fault):
            members.append(("reason", fault.reason.rawValue))
            if let proposal = fault.proposal { members.append(("proposal", proposal.isbn13)) }
            members.append(("message", fault.reason.sentence))
        case nil where stem == nil:
            members.append(("reason", ISBNFault.Reason.wrongLength.rawValue))
            members.append(
                ("message", "A check digit belongs to nine digits, or to twelve that begin with 978 or 979."))
        default: break
        }
        self.members = members
        isAnswered = answered
    }

    /// A value by its key; nil where the line has no such key.
    public subscript(_ key: String) -> String? { members.first { $0.key == key }?.value }

    /// The line, without its end.
    public var json: String {
        var out = JSONWriter()
        out.object { out in
            for member in members {
                out.key(member.key)
                out.string(member.value)
            }
        }
        return String(decoding: out.bytes, as: UTF8.self)
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
