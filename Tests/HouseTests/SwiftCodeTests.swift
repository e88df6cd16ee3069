import Testing

/// The scanner that the other house tests rest on.
@Suite struct SwiftCodeTests {
    @Test func `comments and words of strings are blanked, code and line ends stay`() {
        let code = SwiftCode.blank(
            """
            let a = "try! // no" // try! here
            /* as! */ let b = #"raw "try!" \\(x)"#
            let c = "\\(f("in", as: 1)) as! \\"q\\" end"
            """)
        #expect(!code.contains("try!") && !code.contains("as!") && !code.contains("raw"))
        #expect(
            code.contains("let a = \"") && code.contains("let b = #\"") && code.contains("f(\"  \", as: 1)"))
        #expect(code.split(separator: "\n", omittingEmptySubsequences: false).count == 3)
    }

    @Test func `a string of several lines ends where its quotes do`() {
        let text = "let a = \"\"\"\n  fatalError() \"quoted\"\n  \"\"\"\nlet b = 1"
        let code = SwiftCode.blank(text)
        #expect(!code.contains("fatalError") && code.hasSuffix("  \"\"\"\nlet b = 1"))
    }

    @Test func `a string that is never closed ends with its line`() {
        #expect(SwiftCode.blank("let a = \"open\nlet b = 2").hasSuffix("\nlet b = 2"))
    }
}
