import Bytes

/// Words for the codes of subject schemes, for subjects that are a code without its heading: `FIC009000`. The table
/// is `subject_codes.tsv`.
package enum SubjectCodes {
    /// BISAC's number in ONIX code list 27.
    private static let bisac = "10"

    /// The words for a code, of the longest beginning that is known.
    ///
    /// - Parameter scheme: The scheme's number in ONIX code list 27: 10 is BISAC, 12 BIC, 93 Thema.
    package static func words(for code: String, scheme: String) -> String? {
        guard let known = schemes[scheme] else { return nil }
        var beginning = Substring(code.uppercased())
        while !beginning.isEmpty {
            if let words = known[String(beginning)] { return words }
            beginning.removeLast()
        }
        return nil
    }

    /// The heading of a subject that is a BISAC code, three letters and six digits: `Fiction / Fantasy`; nil for
    /// another subject and for an unknown code.
    static func bisacHeading(of subject: UnsafeRawBufferPointer) -> String? {
        guard subject.count == 9, subject[..<3].allSatisfy(\.isLetter), subject[3...].allSatisfy(\.isDigit)
        else { return nil }
        let code = String(decoding: subject, as: UTF8.self)
        guard let field = words(for: String(code.prefix(3)), scheme: bisac),
            let division = words(for: code, scheme: bisac)
        else { return nil }
        return division == field ? field : "\(field) / \(division)"
    }

    private static let schemes: [String: [String: String]] = {
        var schemes: [String: [String: String]] = [:]
        PackageResources.subject_codes_tsv.withUnsafeBytes { text in
            for line in TableLines(text) {
                let fields = (0..<3).map { String(decoding: line.field($0), as: UTF8.self) }
                schemes[fields[0], default: [:]][fields[1]] = fields[2]
            }
        }
        return schemes
    }()
}
