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
    func `dangerous cells need a guard and are recognized with one`(text: String) {
        #expect(isNeeded(text))
        #expect(isGuarded("'" + text))
    }

    @Test(arguments: [
        "", "'", "''", "x", "'x'", "-5", "+4.5", "'-5", "it's =1", "\"x =1", " \"", " -5", "\" x",
    ])
    func `other cells need no guard and are not recognized as guarded`(text: String) {
        #expect(!isNeeded(text))
        #expect(!isGuarded(text))
    }

    @Test func `the mark of guarded rows is recognized after a spreadsheet saved it`() {
        for word in [FormulaGuard.mark, "YES"] { #expect(FormulaGuard.isMark(word.utf8)) }
        for word in ["", "no", "true", "1"] { #expect(!FormulaGuard.isMark(word.utf8)) }
    }
}
