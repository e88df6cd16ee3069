import Testing

@testable import Syntax

@Suite struct HTMLReferencesTests {
    private func resolved(_ text: String) -> String? {
        HTMLReferences.resolved(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `numeric and named references are decoded once`() {
        #expect(resolved("St. Martin&#039;s &amp; Sons") == "St. Martin's & Sons")
        #expect(resolved("&quot;Yanomam&ouml;&quot; &#x2014; &lt;3") == "\"Yanomamö\" — <3")
        #expect(resolved("&amp;quot;") == "&quot;", "a doubly escaped reference is decoded once")
        #expect(resolved("&eacute;") == "é")
        #expect(resolved("&#128512;") == "\u{1F600}")
    }

    @Test(arguments: [
        "", "plain", "AT&T", "R&B; soul", "Q&A;", "&", "&;", "&#;", "&#x;", "&#0;", "&#7;", "&#55296;",
        "&#99999999;", "&#99999999999999999999;", "&toolonganame;", "&amp", "&#-5;",
    ])
    func `other text is unchanged`(text: String) { #expect(resolved(text) == nil) }

    @Test func `an ampersand without a reference does not hide the next one`() {
        #expect(resolved("A & B &amp; C &") == "A & B & C &")
        #expect(resolved("&&amp;&amp;") == "&&&")
    }
}
