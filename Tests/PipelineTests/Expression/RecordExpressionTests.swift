import Testing

@testable import Pipeline

/// A book as expressions in tests see it.
struct BookRecord: ExpressionRecord {
    static let schema = ExpressionSchema(
        [
            .init("title", .text), .init("language", .text), .init("isbn13", .text),
            .init("pageCount", .number), .init("dateRead", .text), .init("cover", .text),
        ], hasColumns: true)

    var values: [ExpressionValue] = [
        .text("Die Straße nach Süden"), .text("de"), .text("9780441007318"), .number(320),
        .text("2024-05-18"), .missing,
    ]
    var column = ExpressionValue.text("4.5")

    func value(ofField index: Int) -> ExpressionValue { values[index] }
    func value(ofColumn index: Int) -> ExpressionValue { column }

    static func value(_ text: String) throws(ExpressionError) -> ExpressionValue {
        try RecordExpression(text, over: schema).value(of: BookRecord())
    }
}

@Suite struct RecordExpressionTests {
    @Test(arguments: [
        "language = de", "language = DE", "language = 'de'", "language != fr", "not language = fr",
        "language in (fr, de)", "language not in (fr, it)",
        "title contains 'STRASSE' or title contains straße",
        "title starts with 'die '", "title ends with süden", "not (title starts with süden)",
        "pageCount > 99", "pageCount >= 320", "pageCount < 1000", "pageCount <= 320", "pageCount = 320.0",
        "pageCount in (100, 320)", "pageCount * 2 = 640", "pageCount - 20 - 100 = 200",
        "100 + 2 * 110 = pageCount", "-pageCount < 0", "pageCount / 4 = 80", "80 % = 0.8",
        "isbn13 = 9780441007318", "dateRead >= 2024", "dateRead < 2024-06", "dateRead = 2024-05-18",
        "cover is missing", "cover is not missing or true", "title is not missing",
        "[My Rating] > 4", "[My Rating] = 4.50", "[My Rating] in (3, 4.5)", "[a]]b] is not missing",
        "language = fr and cover is missing or pageCount = 320",
        "language = de or language = fr and pageCount = 1",
        "length(title) = 21", "year(dateRead) = 2024", "first(cover, title) starts with die",
        "if(pageCount > 300, 'long', 'short') = long", "lower(upper(title)) contains süden",
        "replace(title, ' NACH ', '/') contains '/s'", "before(title, ' nach') ends with straße",
        "after(title, 'nach ') = süden", "concat(language, '-', cover) = 'de-'", "trim('  x ') = x",
        "number('12') + 1 = 13", "text(pageCount) = '320'", "round(2.6) = 3",
        "title = \"die straße nach süden\"",
        "'it''s' contains \"'\"",
    ])
    func `a condition that holds`(text: String) throws {
        #expect(try BookRecord.value(text) == .truth(true))
    }

    @Test(arguments: [
        "cover = x", "cover < x", "cover contains x", "cover in (x)", "length(cover) > 0",
        "length(cover) <= 0", "number(title) = 0", "pageCount / 0 > 1", "[My Rating] > ten or false",
        "pageCount > 320", "language = de and language = fr", "not true", "title contains ''",
    ])
    func `a condition that does not hold`(text: String) throws {
        #expect(try BookRecord.value(text) == .truth(false))
    }

    @Test func `a missing value is unequal to everything`() throws {
        #expect(try BookRecord.value("cover != x") == .truth(true))
        #expect(try BookRecord.value("number(title) != 1") == .truth(true))
        #expect(try BookRecord.value("pageCount + number(title)") == .missing)
        #expect(try BookRecord.value("trim('  ')") == .missing)
    }

    @Test(arguments: [
        ("", 1, "The end is not expected here: a value is missing."),
        ("langauge = fr", 1, "There is no field `langauge`. Did you mean `language`?"),
        ("pageCount > ", 13, "The end is not expected here: a value is missing."),
        ("language == fr", 10, "`==` is not an operator. Write `=`."),
        ("language = fr && true", 15, "`&&` is not an operator. Write `and`."),
        (
            "title", 1,
            "This must be a condition, not a text. Compare it, for example with `=` or `is missing`."
        ),
        (
            "pageCount > 'x'", 13,
            "A number cannot be compared with a text. Convert the text with `number(…)`."
        ),
        (
            "1 < pageCount < 5", 15,
            "A comparison has two sides only. Join two comparisons with `and`."
        ),
        ("title is empty", 10, "After `is` there must be `missing` or `not missing`."),
        (
            "title = 'open", 9,
            "The quote is not closed. Close it, or double a quote that belongs to the text."
        ),
        ("[Shelf = 1", 1, "The bracket `[` is not closed."),
        ("(pageCount = 1", 15, "A closing `)` is missing here."),
        ("lenght(title) = 1", 1, "There is no function `lenght`. Did you mean `length`?"),
        ("length(title, 1) = 1", 1, "`length` has the wrong number of values. Write `length(text)`."),
        ("length(pageCount) = 1", 8, "`length` needs a text here, not a number. Write `length(text)`."),
        ("title + 1 = 2", 1, "`+` calculates with numbers, and this is a text. Join texts with `concat(…)`."),
        (
            "title = a b", 11,
            "`b` is not expected here. Put a text in quotes, and `and` or `or` between conditions."
        ),
        ("(title = a) = true", 1, "A condition cannot be compared. Use it alone or with `not`."),
        ("title = 12ab", 9, "`12ab` is neither a number nor a name. Put a text in quotes."),
        ("language = fr; drop", 14, "`;` cannot be used here. Put a text in quotes."),
    ])
    func `an error names its column and what to do`(text: String, column: Int, words: String) {
        #expect(Self.error(text).map { $0.description } == "column \(column): \(words)")
    }

    private static func error(_ text: String) -> ExpressionError? {
        do throws(ExpressionError) {
            _ = try RecordExpression(text, over: BookRecord.schema, as: .condition)
            return nil
        } catch {
            return error
        }
    }

    @Test func `depth and length are limited`() throws {
        let deep = String(repeating: "(", count: 5_000) + "true"
        #expect(Self.error(deep)?.message == "The expression has more than 4096 bytes.")
        #expect(Self.error(String(repeating: "(", count: 65) + "true")?.message.contains("64 levels") == true)
        #expect(
            Self.error(String(repeating: "not ", count: 65) + "true")?.message.contains("64 levels") == true)
        let wide = Array(repeating: "true", count: 400).joined(separator: " and ")
        #expect(try BookRecord.value(wide) == .truth(true))
    }

    @Test func `an expression knows its text, fields and columns`() throws {
        let expression = try RecordExpression("  title = language and [A] = [B] ", over: BookRecord.schema)
        #expect(expression.text == "title = language and [A] = [B]")
        #expect(expression.fields == [0, 1])
        #expect(expression.columns == ["A", "B"])
    }
}

@Suite struct ExpectationTests {
    @Test func `an expectation has a condition, an action and a message`() throws {
        let text = "expect pageCount < 5000 or title is missing or warn 'Is it a boxed set?'"
        let expectation = try Expectation(text, over: BookRecord.schema)
        #expect(expectation.condition.text == "pageCount < 5000 or title is missing")
        #expect(expectation.action == .warn)
        #expect(expectation.message == "Is it a boxed set?")
        #expect(try Expectation("expect true or stop", over: BookRecord.schema).message == nil)
    }

    @Test(arguments: [
        ("title is missing", 1), ("expect title is missing", 24), ("expect true or ignore", 16),
        ("expect true or warn 'a' b", 25), ("expect title or reject", 8),
    ])
    func `an expectation that is incomplete is refused`(text: String, column: Int) {
        do throws(ExpressionError) {
            _ = try Expectation(text, over: BookRecord.schema)
            Issue.record("accepted: \(text)")
        } catch {
            #expect(error.column == column, "\(error)")
        }
    }

    @Test func `an assignment has a target and a value`() throws {
        let field = try Assignment("title = upper(title)", over: BookRecord.schema) { _ in true }
        #expect(field.target == .field(0))
        #expect(field.value.text == "upper(title)")
        let column = try Assignment("[My Shelf] = 'owned'", over: BookRecord.schema) { _ in true }
        #expect(column.target == .column("My Shelf"))
    }

    @Test(arguments: [
        ("title = titel", 9, "There is no field `titel`. Did you mean `title`?"),
        ("titel = 'x'", 1, "There is no field `titel`. Did you mean `title`?"),
        ("pageCount = 'x'", 1, "`pageCount` is computed and cannot be set."),
        (
            "title = language = de", 9,
            "A condition is not a value. Choose between two values with `if(condition, value, otherwise)`."
        ),
        (
            "'x' = title", 1,
            "An assignment begins with a field or a column. Write `FIELD = VALUE` or `[COLUMN] = VALUE`."
        ),
        ("title", 6, "A `=` is missing here. Write `FIELD = VALUE`."),
    ])
    func `an assignment that is wrong is refused`(text: String, column: Int, words: String) {
        do throws(ExpressionError) {
            _ = try Assignment(text, over: BookRecord.schema) { $0 != 3 }
            Issue.record("accepted: \(text)")
        } catch {
            #expect(error.description == "column \(column): \(words)")
        }
    }
}
