import Testing

@testable import etl

/// Names that are not UTF-8 would become the names of other files.
@Suite struct ProcessTextsTests {
    private static func failure(_ arguments: [[UInt8]], _ variables: [[UInt8]] = []) -> CommandFailure? {
        ProcessTexts.failure(arguments: arguments, variables: variables)
    }

    private static let broken = Array("lib".utf8) + [0xFF] + Array(".sqlite".utf8)

    @Test func `an argument that is not UTF-8 is refused with its bytes`() {
        let failure = Self.failure([Array("import".utf8), Self.broken])
        #expect(failure?.message == "The argument `lib\\xFF.sqlite` is not UTF-8 text.")
        #expect(failure?.status == .usage)
    }

    @Test(arguments: ["ETL_DB", "ETL_CATALOG", "XDG_STATE_HOME", "HOME"])
    func `a variable that names a file is refused, and its value is not shown`(name: String) {
        let failure = Self.failure([], [Array("\(name)=".utf8) + Self.broken])
        #expect(failure?.message == "The variable \(name) is not UTF-8 text.")
    }

    @Test func `other variables and all of UTF-8 are accepted`() {
        #expect(
            Self.failure([Array("büchér \u{1F4DA}.csv".utf8), []], [Array("LS_COLORS=".utf8) + Self.broken])
                == nil)
    }
}
