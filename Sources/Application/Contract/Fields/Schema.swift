package import Syntax

/// The shape of a JSON value, as JSON Schema describes it (draft 2020-12, the dialect of OpenAPI 3.1).
package indirect enum Schema: Sendable, Hashable {
    case string
    /// Text in a standard form: `date-time`.
    case formatted(String)
    /// One of these texts.
    case names([String])
    case integer
    case number
    case boolean
    case null
    case array(Schema)
    case object([Field])
    /// A value of one of these shapes.
    case either([Schema])
    /// A named schema (``ContractSchemas``).
    case reference(String)
    /// Any value.
    case any

    /// A field of an object.
    package struct Field: Sendable, Hashable {
        package var name: String
        package var schema: Schema
        package var isRequired: Bool

        /// A field that is always present.
        package static func required(_ name: String, _ schema: Schema) -> Field {
            Field(name: name, schema: schema, isRequired: true)
        }

        /// A field that is left out if there is no value.
        package static func optional(_ name: String, _ schema: Schema) -> Field {
            Field(name: name, schema: schema, isRequired: false)
        }
    }

    /// The envelope of a success around a value.
    package static func success(_ data: Schema) -> Schema {
        .object([
            .required("success", .boolean), .required("data", data),
            .required("metadata", .reference("Metadata")),
        ])
    }

    /// A list of texts.
    package static let strings = Schema.array(.string)
}

extension Schema: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            switch self {
            case .string: out.field("type", "string")
            case .formatted(let format):
                out.field("type", "string")
                out.field("format", format)
            case .names(let names):
                out.field("type", "string")
                out.field("enum", names)
            case .integer: out.field("type", "integer")
            case .number: out.field("type", "number")
            case .boolean: out.field("type", "boolean")
            case .null: out.field("type", "null")
            case .array(let element):
                out.field("type", "array")
                out.field("items", element)
            case .object(let fields):
                out.field("type", "object")
                let required = fields.filter(\.isRequired).map(\.name)
                if !required.isEmpty { out.field("required", required) }
                out.field("properties") { out in
                    for field in fields {
                        out.key(field.name)
                        field.schema.write(into: &out)
                    }
                }
            case .either(let shapes): out.field("anyOf", shapes)
            case .reference(let name): out.field("$ref", "#/components/schemas/\(name)")
            case .any: break
            }
        }
    }
}
