package import Syntax

/// The shape of a JSON value, as JSON Schema describes it (draft 2020-12, the dialect of OpenAPI 3.1).
package indirect enum Schema: Sendable, Hashable {
    case string
    /// Text for which there is a rule.
    case text(TextRule)
    /// Text with so many characters.
    case limited(ClosedRange<Int>)
    /// Text with a regular expression of JSON Schema.
    case matching(String)
    /// Text in a standard form: `date-time`.
    case formatted(String)
    /// One of these texts.
    case names([String])
    case integer
    /// An integer in a range.
    case whole(ClosedRange<Int>)
    case number
    case boolean
    case null
    case array(Schema)
    /// An array with so many elements.
    case list(Schema, ClosedRange<Int>)
    case object([Field])
    /// An object without further fields.
    case form([Field])
    /// An object whose further fields are not read; no text of it has a zero byte.
    case fields([Field])
    /// An object in which at least one of the named fields is not empty.
    case choice([Field], of: [String])
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
    ///
    /// - Parameter fields: Fields of the envelope beside `data`.
    package static func success(_ data: Schema, beside fields: [Field] = []) -> Schema {
        .object(
            [
                .required("success", .boolean), .required("data", data),
                .required("metadata", .reference("Metadata")),
            ] + fields)
    }

    /// A list of texts.
    package static let strings = Schema.array(.string)
}

extension Schema: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            switch self {
            case .string: out.field("type", "string")
            case .text(let rule):
                Self.writeText(rule.length, into: &out)
                out.field("pattern", rule.pattern)
                if let format = rule.format {
                    out.field("format", format)
                    out.field("description", rule.requirement)
                }
            case .limited(let length): Self.writeText(length, into: &out)
            case .matching(let pattern):
                out.field("type", "string")
                out.field("pattern", pattern)
            case .formatted(let format):
                out.field("type", "string")
                out.field("format", format)
            case .names(let names):
                out.field("type", "string")
                out.field("enum", names)
            case .integer: out.field("type", "integer")
            case .whole(let range):
                out.field("type", "integer")
                out.field("minimum", range.lowerBound)
                out.field("maximum", range.upperBound)
            case .number: out.field("type", "number")
            case .boolean: out.field("type", "boolean")
            case .null: out.field("type", "null")
            case .array(let element):
                out.field("type", "array")
                out.field("items", element)
            case .list(let element, let count):
                out.field("type", "array")
                out.field("items", element)
                out.field("minItems", count.lowerBound)
                out.field("maxItems", count.upperBound)
            case .object(let fields): Self.writeObject(fields, into: &out)
            case .form(let fields):
                Self.writeObject(fields, into: &out)
                out.field("additionalProperties", false)
            case .fields(let fields):
                Self.writeObject(fields, into: &out)
                out.field("propertyNames", Schema.text(.text))
                out.field("additionalProperties", Schema.text(.text))
            case .choice(let fields, let names):
                Self.writeObject(fields, into: &out)
                out.key("anyOf")
                out.array(names) { name, out in
                    out.field("required", [name])
                    let isList = fields.contains {
                        if case .list = $0.schema { $0.name == name } else { false }
                    }
                    out.field("properties") { out in
                        out.key(name)
                        out.object { $0.field(isList ? "minItems" : "minLength", 1) }
                    }
                }
            case .either(let shapes): out.field("anyOf", shapes)
            case .reference(let name): out.field("$ref", "#/components/schemas/\(name)")
            case .any: break
            }
        }
    }

    private static func writeText(_ length: ClosedRange<Int>, into out: inout JSONWriter) {
        out.field("type", "string")
        if length.lowerBound > 0 { out.field("minLength", length.lowerBound) }
        out.field("maxLength", length.upperBound)
    }

    private static func writeObject(_ fields: [Field], into out: inout JSONWriter) {
        out.field("type", "object")
        let required = fields.filter(\.isRequired).map(\.name)
        if !required.isEmpty { out.field("required", required) }
        out.field("properties") { out in
            for field in fields {
                out.key(field.name)
                field.schema.write(into: &out)
            }
        }
    }
}

extension Schema {
    /// Why a text in a query or a head does not fit, as a sentence; nil if it does.
    ///
    /// - Parameter name: The parameter.
    package func refusal(of text: String, in name: String) -> String? {
        switch self {
        case .text(let rule): rule.accepts(text) ? nil : rule.requirement
        case .names(let names):
            names.contains(text) ? nil : "The parameter \(name) must be \(names.joined(separator: " or "))."
        case .boolean:
            ["true", "false"].contains(text) ? nil : "The parameter \(name) must be true or false."
        case .whole(let range):
            Int(text).map(range.contains) ?? false
                ? nil
                : "The parameter \(name) must be a number from \(range.lowerBound) to \(range.upperBound)."
        case .either(let shapes):
            shapes.contains { $0.refusal(of: text, in: name) == nil }
                ? nil : shapes.first?.refusal(of: text, in: name)
        default: nil
        }
    }
}
