import FoundationEssentials
import Testing

@testable import Queries

/// Reviews as other services export them, on the page.
@Suite struct ReviewTextTests {
    private static func shown(_ text: String) -> String {
        var html = HTML()
        ReviewText(text).write(&html)
        return String(decoding: html.bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("", ""), ("A quiet book.", "A quiet book."),
        ("One.<br/><br />Two.\nThree.", "One.<br><br>Two.<br>Three."),
        ("<p>One.</p><p>Two.</p>", "<br>One.<br><br>Two.<br>"),
        ("<b>Loud</b> and <I>soft</I>", "<strong>Loud</strong> and <em>soft</em>"),
        ("<ul><li>one<li>two</ul>", "<br>• one<br>• two"),
        ("<blockquote>so he said</blockquote>", "<blockquote>so he said</blockquote>"),
        (
            "It ends <spoiler>badly</spoiler>.",
            "It ends <details class=\"spoiler\"><summary>Spoiler</summary>badly</details>."
        ),
        ("Tom &amp; Jerry &quot;live&quot; &eacute;", "Tom &amp; Jerry &quot;live&quot; é"),
    ])
    func `emphasis, quotations, lists, line ends and spoilers stay`(text: String, html: String) {
        #expect(Self.shown(text) == html)
    }

    @Test(arguments: [
        ("I <3 it", "I &lt;3 it"), ("a < b and c > d", "a &lt; b and c &gt; d"),
        ("ends with <", "ends with &lt;"),
        ("<script>alert(1)</script>", "alert(1)"), ("<img src=x onerror=alert(1)>", ""),
        ("<a href=\"javascript:alert(1)\">here</a>", "here"),
        ("<b onclick=\"x()\">a</b>", "<strong>a</strong>"),
        ("&lt;script&gt;", "&lt;script&gt;"), ("<!-- note -->text", "text"),
        ("<b><i>open", "<strong><em>open</em></strong>"), ("</b>closed</spoiler>", "closed"),
        ("<b>a<i>b</b>c</i>", "<strong>a<em>b</em></strong>c"), ("<b>a<b>b</b>c", "<strong>ab</strong>c"),
    ])
    func `other markup is left out, and nothing becomes markup that the page did not write`(
        text: String, html: String
    ) {
        #expect(Self.shown(text) == html)
    }

    @Test func `a long text of stray signs is written in time that grows with its length`() {
        let text = String(repeating: "<", count: 200_000)
        #expect(Self.shown(text) == String(repeating: "&lt;", count: 200_000))
        let nested = String(repeating: "<b><i><s><spoiler><blockquote>", count: 20_000)
        #expect(Self.shown(nested).components(separatedBy: "<details").count == 2)
    }
}
