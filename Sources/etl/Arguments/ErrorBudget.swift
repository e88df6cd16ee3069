/// How many records may be rejected before a run stops: `--max-errors N|P%|P%/N`.
enum ErrorBudget: Sendable, Hashable {
    /// So many in all; 0 stops at the first.
    case count(Int)
    /// A share, 0–1, of the records of the run so far.
    case share(Double)
    /// A share, 0–1, of the last so many records.
    case shareOfLast(Double, records: Int)

    /// Reads `100`, `5%` or `5%/1000`; nil when it is none of them.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2 else { return nil }
        guard first.hasSuffix("%") else {
            guard parts.count == 1, let count = Int(first), count >= 0 else { return nil }
            self = .count(count)
            return
        }
        guard let percent = Double(first.dropLast()), (0...100).contains(percent) else { return nil }
        if parts.count == 1 {
            self = .share(percent / 100)
        } else {
            guard let records = Int(parts[1]), (1...1_000_000).contains(records) else { return nil }
            self = .shareOfLast(percent / 100, records: records)
        }
    }
}
