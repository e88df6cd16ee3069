package import Books
package import Store
package import Syntax

/// A JSON value whose type says what shape it has.
package protocol Described: JSONWritable {
    static var schema: Schema { get }
}

extension String: Described {
    package static var schema: Schema { .string }
}

extension Bool: Described {
    package static var schema: Schema { .boolean }
}

extension Int: Described {
    package static var schema: Schema { .integer }
}

extension Int64: Described {
    package static var schema: Schema { .integer }
}

extension Double: Described {
    package static var schema: Schema { .number }
}

extension Array: Described where Element: Described {
    package static var schema: Schema { .array(Element.schema) }
}

extension Described where Self: CaseIterable & RawRepresentable, RawValue == String {
    package static var schema: Schema { .names(allCases.map(\.rawValue)) }
}

/// The contract's only null.
struct Null: Described {
    static var schema: Schema { .null }

    func write(into out: inout JSONWriter) { out.null() }
}

extension ContractNamed {
    package static var schema: Schema { .names(allCases.map(\.contractName)) }

    package func write(into out: inout JSONWriter) { out.string(contractName) }
}

extension AuthorGender: Described {}
extension CulturalRegion: Described {}
extension EditionFormat: Described {}
extension Provider: Described {}
extension ReviewStatus: Described {}

extension JobState: Described {}
extension JobPipeline: Described {}
