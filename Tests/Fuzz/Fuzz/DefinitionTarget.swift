import Jobs
import Pipeline

@testable import Formats
@testable import Sources
@testable import Store

/// Parses an input as everything that users write in files and options.
enum DefinitionTarget {
    static func read(_ bytes: [UInt8]) {
        _ = try? YAMLReader.read(bytes, named: "fuzz.yaml")
        _ = try? DefinitionFile.read(bytes, named: "fuzz.yaml")
        _ = try? ColumnMapping(bytes, named: "fuzz.yaml")
        readRules(bytes)
        _ = try? ConfigurationFile(bytes, named: "fuzz.yaml")
        let text = String(decoding: bytes, as: UTF8.self)
        readExpression(text)
        _ = try? RunExpectation(text)
        _ = try? ColumnOptions(parsing: text)
        _ = try? MergePolicy(lines: text.split(separator: "\n").map(String.init))
        _ = ErrorBudget(text)
    }

    /// Rules that were accepted are accepted again from the text that a job keeps.
    private static func readRules(_ bytes: [UInt8]) {
        guard let rules = try? MappingRules(bytes, named: "fuzz.yaml") else { return }
        demand((try? MappingRules(rules.file)) == rules, "the kept text of rules means something else")
    }

    /// An expression that was accepted describes itself with the text it was parsed from.
    private static func readExpression(_ text: String) {
        guard let expression = try? RecordExpression(text, over: StoredBookField.schema) else { return }
        guard let again = try? RecordExpression(expression.text, over: StoredBookField.schema) else {
            fatalError("the text of an expression is not accepted")
        }
        demand(again == expression, "the text of an expression means something else")
    }
}
