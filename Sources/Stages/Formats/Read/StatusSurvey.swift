import Books
import Bytes
import System

/// The statuses in a file that mean nothing to etl, such as a Goodreads user's own exclusive shelf.
struct StatusSurvey: Sendable {
    private let column: Int?
    private let rules: MappingRules?
    private var counts: [String: Int] = [:]

    /// Different ones that are counted. A column with more has something else.
    private static let most = 40
    private static let mostShown = 5
    private static let longest = 60

    init(_ file: LibraryFile, rules: MappingRules?) {
        column = file.format.namesStatuses ? file.columns[.exclusiveShelf] : nil
        self.rules = rules
    }

    /// Takes in a record.
    ///
    /// - Parameter cell: The bytes of a column's cell; empty if the record is too short.
    @inline(__always)
    mutating func note(_ cell: (Int) -> UnsafeRawBufferPointer) {
        guard let column else { return }
        let bytes = cell(column)
        if !bytes.isEmpty, !ReadingStatus.isUsual(bytes) { noteUnusual(bytes) }
    }

    private mutating func noteUnusual(_ bytes: UnsafeRawBufferPointer) {
        let trimmed = UnsafeRawBufferPointer(rebasing: bytes[bytes.trimmedBlanks])
        guard trimmed.count <= Self.longest, trimmed.contains(where: { $0.isLetter || $0 >= 0x80 }),
            ReadingStatus(trimmed) == nil, YesNo.read(trimmed) == nil
        else { return }
        let status = String(decoding: trimmed, as: UTF8.self)
        guard counts.count < Self.most || counts[status] != nil,
            rules?.shelves[MappingRules.shelfKey(status)] == nil
        else { return }
        counts[status, default: 0] += 1
    }

    /// The warning for the user before the import; nil if all statuses are known.
    func warning(of file: String) -> UserWarning? {
        guard !counts.isEmpty, counts.count < Self.most else { return nil }
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let shown = sorted.map { "`\($0.key)` (\($0.value))" }.listed(most: Self.mostShown)
        return UserWarning(
            """
            `\(file)` has \(sorted.count == 1 ? "a status" : "statuses") that etl does not know: \(shown). \
            Their books are neither read nor to be read.
            """,
            advice:
                "Say what they mean in a file of rules; begin with \(UserCommand.suggestRules(file: file)).")
    }
}
