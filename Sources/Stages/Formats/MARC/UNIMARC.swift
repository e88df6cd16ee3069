import Syntax
import System

/// Recognizes UNIMARC, which has the syntax of MARC 21 and other fields: the title is in field 200 instead of 245.
/// Read as MARC 21, none of its records would have a title.
enum UNIMARC {
    /// Fields that have the title in MARC 21.
    private static let titles: Set = ["245", "240", "130"]

    /// Checks a file's first bytes.
    ///
    /// - Parameter tags: The fields of its first records, as its syntax has them.
    /// - Throws: `unusableInput` if the file is UNIMARC.
    static func refuse(_ file: InputFile, by tags: ([UInt8]) -> Set<String>) throws(ETLError) {
        let found = tags(try file.head())
        guard found.contains("200"), found.isDisjoint(with: titles) else { return }
        throw ETLError(
            .unusableInput, "`\(file.path)` is in UNIMARC, which is not supported.",
            advice: "Export the records as MARC 21 or as CSV, or convert them, for example with MarcEdit.")
    }

    /// The fields of the first record of an ISO 2709 file.
    static func tags(ofISO2709 head: [UInt8]) -> Set<String> {
        let start = head.prefix(256).firstIndex { !MARCFraming.isBetween($0) } ?? 0
        let directory = head[start...].dropFirst(MARCRecord.leaderLength).prefix { $0 != 0x1E }
        return Set(
            stride(from: directory.startIndex, to: directory.endIndex - 11, by: 12).map {
                String(decoding: directory[$0..<$0 + 3], as: UTF8.self)
            })
    }

    /// The fields that a text has with something before and after the tag: `tag="200"`, `"200":`.
    static func tags(in head: [UInt8], between before: String, and after: String) -> Set<String> {
        let text = String(decoding: head, as: UTF8.self)
        return titles.union(["200"]).filter { text.contains(before + $0 + after) }
    }
}
