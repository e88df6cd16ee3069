package import Syntax

/// Receiver of a record's fields: the JSON writer, or the description of the record's shape.
package protocol FieldVisitor: ~Copyable {
    /// A field that is always present.
    mutating func field<Value: Described>(_ name: StaticString, _ value: Value)
    /// A field that is left out if there is no value.
    mutating func field<Value: Described>(_ name: StaticString, _ value: Value?)
}

extension JSONWriter: FieldVisitor {}

/// Parameter type of a record's `fields(into:)`.
package typealias FieldTable = FieldVisitor & ~Copyable

/// A record of the contract that OpenAPI describes.
///
/// Its field table, ``fields(into:)``, is the only place that states its keys. Writing it and its schema follow
/// from the table, and a test compares the table with `docs/contract.md`:
///
/// ```swift
/// extension CanceledJob: ContractRecord {
///     package static var example: CanceledJob { CanceledJob(jobId: "") }
///
///     package func fields(into table: inout some FieldTable) {
///         table.field("jobId", jobId)
///         table.field("reason", reason)  // optional, and left out if it is nil
///     }
/// }
/// ```
///
/// The table is a function and not a value, because the optimizer turns it into a plain sequence of writes. An array
/// of closures takes half as long again, which the results of a large job would feel.
package protocol ContractRecord: JSONObject, Described, Sendable {
    /// A record to describe. Only the types of its values matter.
    static var example: Self { get }

    /// The name of its schema; nil for one that is described where it is used.
    static var schemaName: String? { get }

    /// States every field, in the order in which they are written. It must not depend on values which fields there are.
    func fields(into table: inout some FieldTable)
}

extension ContractRecord {
    package static var schemaName: String? { nil }

    package static var schema: Schema { schemaName.map(Schema.reference) ?? shape }

    /// The schema itself, never a reference to it.
    package static var shape: Schema { .object(describedFields) }

    /// The fields as the schema has them.
    package static var describedFields: [Schema.Field] { Schema.fields { example.fields(into: &$0) } }

    package func writeFields(into out: inout JSONWriter) { fields(into: &out) }
}

extension Schema {
    /// The fields that `state` states.
    package static func fields(_ state: (inout DescribedFields) -> Void) -> [Field] {
        var described = DescribedFields()
        state(&described)
        return described.fields
    }
}

/// Collects the fields of a record with the types of their values.
package struct DescribedFields: FieldVisitor {
    private(set) var fields: [Schema.Field] = []

    package mutating func field<Value: Described>(_ name: StaticString, _ value: Value) {
        fields.append(.required("\(name)", Value.schema))
    }

    package mutating func field<Value: Described>(_ name: StaticString, _ value: Value?) {
        fields.append(.optional("\(name)", Value.schema))
    }
}
