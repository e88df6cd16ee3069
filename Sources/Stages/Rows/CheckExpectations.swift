package import Books
package import Pipeline
package import System

/// Checks the expectations of each row. A row that fulfills an expectation passes. Otherwise it becomes a
/// reject, gets a warning, or ends the run, as the expectation says.
package struct CheckExpectations: Stage {
    /// The expectations.
    package static let expectations = Setting.expectations(
        "expect", over: RowFields.schema,
        "Expectations of each row, and whether a row that fails is rejected, is stored with a warning, or ends the run."
    )

    private let expectations: [Expectation]
    private let name: String

    /// - Parameters:
    ///   - expectations: Checked in this order over ``RowFields``.
    ///   - name: The stage's name in rejects.
    package init(_ expectations: [Expectation], name: String = "CheckExpectations") {
        self.expectations = expectations
        self.name = name
    }

    /// Rows keep their order. Throws `unusableInput` if a row violates an expectation that ends the run; the
    /// first such row decides.
    package func process(
        _ batch: consuming Batch<LibraryRows>
    ) async throws(ETLError) -> Batch<LibraryRows> {
        // The first violated expectation of each row that is rejected, or that ends the run.
        var violated: [Int: Expectation] = [:]
        for expectation in expectations {
            for number in batch.payload.rows(without: expectation.condition) where violated[number] == nil {
                if expectation.action == .warn {
                    batch.payload.rows[number].warnings.append(
                        Warning(
                            .expectationWarning,
                            value: "", message: Self.sentence(.expectationWarning, expectation)))
                } else {
                    violated[number] = expectation
                }
            }
        }
        if let number = violated.keys.filter({ violated[$0]?.action == .stop }).min(),
            let expectation = violated[number]
        {
            throw ETLError(
                .unusableInput,
                "Row \(batch.payload.rows[number].position.record) violates an expectation of \(name): \(Self.details(expectation))",
                advice: "Correct the row, or change what is expected.",
                position: batch.payload.rows[number].position)
        }
        batch.reject(violated.keys.sorted(), by: name) { number, _ in
            (.expectationViolated, violated[number].map(Self.details) ?? "")
        }
        return batch
    }

    private static func sentence(_ reason: ReasonCode, _ expectation: Expectation) -> String {
        "\(reason.sentence) \(details(expectation))"
    }

    /// The user's own sentence if there is one, and the condition.
    private static func details(_ expectation: Expectation) -> String {
        let condition = "Expected: `\(expectation.condition.text)`."
        return expectation.message.map { "\($0) \(condition)" } ?? condition
    }
}
