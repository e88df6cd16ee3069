import Testing

@testable import Syntax

@Suite struct FormulaGuardTests {
    private func isNeeded(_ text: String) -> Bool {
        Array(text.utf8).withUnsafeBytes { FormulaGuard.isNeeded($0) }
    }

    private func isGuarded(_ text: String) -> Bool {
        Array(text.utf8).withUnsafeBytes { FormulaGuard.isGuarded($0) }
    }

    @Test(arguments: [
        "=1", "@x", "+x", "-x", "\tx", "\rx", "＝1", "'=1", "''-x", "\"=1", " =1", " \"+x", "' =1",
        "\"\"@x",
    ])
    func `each guarded cell has one apostrophe to lose`(text: String) {
        #expect(isNeeded(text))
        #expect(isGuarded("'" + text))
    }

    @Test(arguments: [
        "", "'", "''", "x", "'x'", "-5", "+4.5", "'-5", "it's =1", "\"x =1", " \"", " -5", "\" x",
    ])
    func `all else is left alone, and has none`(text: String) {
        #expect(!isNeeded(text))
        #expect(!isGuarded(text))
    }

    @Test func `a guarded row is known again when a spreadsheet has saved it`() {
        for word in [FormulaGuard.mark, "YES", "true", "TRUE"] { #expect(FormulaGuard.isMark(word.utf8)) }
        for word in ["", "no", "false", "1"] { #expect(!FormulaGuard.isMark(word.utf8)) }
    }
}
