import Books
import Pipeline
import Testing

@testable import Store

@Suite struct StoredBookFieldTests {
    @Test func `a field has one meaning under both of its names`() throws {
        for name in ["pageCount", "page_count"] {
            let condition = try RecordExpression(
                "\(name) > 100", over: StoredBookField.schema, as: .condition)
            let field = try #require(condition.fields.first.flatMap { StoredBookField.field($0) })
            #expect(field.name == "pageCount")
        }
        let names = StoredBookField.schema.fields.map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test func `only fields that providers give can be refreshed`() {
        #expect(
            StoredBookField.fields(named: ["cover", "page_count"]) == [.workCover, .editionCover, .pageCount])
        #expect(StoredBookField.fields(named: ["rating"]) == nil)
        #expect(StoredBookField.fields(named: ["covers"]) == nil)
    }

    @Test func `a misspelled field is named with its column`() {
        #expect {
            _ = try RecordExpression(
                "language = fr and covr is missing", over: StoredBookField.schema, as: .condition)
        } throws: {
            ($0 as? ExpressionError)?.column == 19
                && ($0 as? ExpressionError)?.advice == "Did you mean `cover`?"
        }
    }
}
