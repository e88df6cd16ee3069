/// How far a job was when its error budgets were spent. Whoever goes on with it has seen that, and has the budgets anew
/// for what comes.
package struct BudgetBaseline: Sendable, Hashable, Codable {
    /// Records read so far.
    package var records: Int
    /// Those of them that were rejected, by code.
    package var rejects: [String: Int]

    package init(records: Int, rejects: [String: Int]) {
        self.records = records
        self.rejects = rejects
    }
}
