import Database
import Formats
import Store
import System

/// The rules that the stored entries were imported with: those of the job that last wrote each.
final class AppliedRules {
    private let owners: EntryOwners
    private let options: Statement
    /// By the row id of the job.
    private var known: [Int64: MappingRules?] = [:]

    /// - Returns: Nil if no job of the store has had rules.
    init?(_ connection: Connection) throws(ETLError) {
        // Stores of versions without rules lack tables that are read below.
        guard try connection.row("SELECT 1 FROM jobs WHERE options LIKE '%\"rules\":{%' LIMIT 1") != nil
        else {
            return nil
        }
        owners = try EntryOwners(connection)
        options = try connection.query("SELECT options FROM jobs WHERE id = ?1")
    }

    /// The rules of an entry; nil if there are none.
    func rules(ofEntry entry: Int64) throws(ETLError) -> MappingRules? {
        let job = try owners.job(of: entry)
        if let rules = known[job] { return rules }
        options.bind(1, job)
        defer { options.reset() }
        let file = try options.next() ? JobOptions(json: options.string(0))?.rules : nil
        // A newer version may have written rules that this one does not know.
        let rules = file.flatMap { try? MappingRules($0) }
        known[job] = .some(rules)
        return rules
    }

    /// Changes by rules to a row with these cells.
    static func uses(of rules: MappingRules, in cells: EntryCells.Cells) -> [RuleUse] {
        // Only the file of a mapping knows the columns of its tables.
        guard let reader = EntryRowReader(formatName: cells.formatName, names: cells.names) else { return [] }
        return reader.uses(of: rules, in: cells.cells)
    }
}
