package import Books
package import Pipeline
package import System

/// Keeps the first row of all with the same values of some expressions, and sets the others aside. Rows in
/// which all these values are missing are kept.
///
/// Texts are compared without regard to case. Rows of all files of a run are compared.
package struct DeduplicateRows: Stage {
    /// Key of the comparison.
    package static let by = Setting.values(
        "by", over: RowFields.schema, isRequired: true,
        "Values to compare: of rows with the same values, only the first is kept.")

    private let by: [RecordExpression]
    private let seen = SeenKeys()
    private let name: String

    /// - Parameters:
    ///   - by: Expressions over ``RowFields``, at least one.
    ///   - name: The stage's name in rejects.
    package init(by: [RecordExpression], name: String = "DeduplicateRows") {
        self.by = by
        self.name = name
    }

    /// True: a row is compared with all earlier ones.
    package static var remembersRecords: Bool { true }

    /// Rows keep their order. Throws if temporary storage is full.
    package func process(
        _ batch: consuming Batch<LibraryRows>
    ) async throws(ETLError) -> Batch<LibraryRows> {
        let keys = batch.payload.keys(by: by)
        var noted: [SeenKeys.Key] = []
        for (number, key) in keys.enumerated() {
            guard let key else { continue }
            let position = batch.payload.rows[number].position
            noted.append(SeenKeys.Key(number: number, text: key, file: position.file, row: position.record))
        }
        let first = try await seen.note(noted)
        let repeated = Dictionary(uniqueKeysWithValues: first.map { ($0.number, $0.row) })
        batch.reject(first.map(\.number), by: name) { number, _ in
            (.repeatedRow, repeated[number].map { "It repeats row \($0)." } ?? "")
        }
        return batch
    }
}
