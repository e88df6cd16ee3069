import Bytes
package import Pipeline
package import System

/// Interprets rows again whose cells were changed, as if the file had had these cells.
package protocol RowInterpreter: Sendable {
    /// Interprets some rows of a batch. A row that its format refuses becomes a reject.
    ///
    /// - Parameters:
    ///   - numbers: Indexes of the rows, ascending.
    ///   - changed: The names of the columns whose cells were changed. Earlier warnings about them are removed.
    ///   - stage: The name of the stage that changed them, for rejects.
    /// - Throws: `configuration` if the format of the rows does not exist.
    func interpret(
        _ numbers: [Int], of batch: inout Batch<LibraryRows>, changed: Set<String>, stage: String
    ) throws(ETLError)
}

extension Batch<LibraryRows> {
    /// Moves some rows to the rejects.
    ///
    /// - Parameters:
    ///   - numbers: Indexes of the rows, ascending.
    ///   - stage: The name of the stage that rejects them.
    ///   - reason: Returns why a row is rejected, and details for its message.
    package mutating func reject(
        _ numbers: [Int], by stage: String,
        because reason: (_ number: Int, _ row: LibraryRow) -> (code: ReasonCode, details: String)
    ) {
        guard !numbers.isEmpty else { return }
        for number in numbers {
            let row = payload.rows[number]
            let (code, details) = reason(number, row)
            rejects.append(
                Reject(
                    position: row.position, stage: stage, code: code.code, message: code.message(details),
                    raw: payload.arena.bytes(row.raw)))
        }
        var rejected = numbers[...]
        var kept = 0
        for number in payload.rows.indices {
            if rejected.first == number {
                rejected.removeFirst()
                continue
            }
            if kept != number { payload.rows.swapAt(kept, number) }
            kept += 1
        }
        payload.rows.removeSubrange(kept...)
    }
}
