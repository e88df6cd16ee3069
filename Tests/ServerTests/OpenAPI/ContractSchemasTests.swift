import Contract
import Foundation
import Server
import TestSupport
import Testing

@Suite struct ContractSchemasTests {
    private func fields(_ schema: Schema) -> [Schema.Field] {
        switch schema {
        case .object(let fields), .form(let fields), .choice(let fields, _): fields
        default: []
        }
    }

    @Test func `the documentation names every field of the records`() throws {
        let pages = try ["contract.md", "service.md"].map {
            try String(contentsOfFile: "\(ProjectFiles.root)/docs/\($0)", encoding: .utf8)
        }
        let words = Set(pages.joined().split { !$0.isLetter && !$0.isNumber }.map(String.init))
        for (name, schema) in ContractSchemas.all {
            #expect(!fields(schema).isEmpty, "\(name)")
            for field in fields(schema) {
                #expect(words.contains(field.name), "\(name).\(field.name) is not documented")
            }
        }
    }
}
