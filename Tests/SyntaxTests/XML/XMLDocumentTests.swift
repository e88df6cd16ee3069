import Testing

@testable import Syntax

@Suite struct XMLDocumentTests {
    static func events(_ text: String) throws(XMLFault) -> [XMLDocument.Event] {
        var events: [XMLDocument.Event] = []
        try XMLDocument(Array(text.utf8)).forEachEvent { (event, _) throws(XMLFault) in events.append(event) }
        return events
    }

    static func fault(_ text: String) -> XMLFault? {
        do {
            _ = try events(text)
            return nil
        } catch { return error }
    }

    @Test func `elements and text arrive in order`() throws {
        let events = try Self.events("<a><b>1 &lt; 2</b><n:c xmlns:n='x'/><![CDATA[<]]></a>")
        #expect(
            events == [
                .start("a"), .start("b"), .text("1 < 2"), .end("b"), .start("c"), .end("c"), .text("<"),
                .end("a"),
            ])
    }

    @Test func `a fault has its line number`() {
        #expect(Self.fault("<a>\n<b>\n</a>")?.line == 3)
        #expect(Self.fault("<a>\n<b>\n</a>")?.description.hasPrefix("Line 3: ") == true)
    }

    @Test(arguments: [
        // Entities that multiply.
        """
        <!DOCTYPE a [<!ENTITY x "xxxxxxxxxx"><!ENTITY y "&x;&x;&x;&x;&x;&x;&x;&x;&x;&x;">
        <!ENTITY z "&y;&y;&y;&y;&y;&y;&y;&y;&y;&y;">]><a>&z;</a>
        """,
        "<!DOCTYPE a [<!ENTITY x 'x'>]><a/>",
        "<!DOCTYPE a [<!ENTITY x 'x'>]><a b='&x;'/>",
        // Files and networks.
        "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/hostname'>]><a>&x;</a>",
        "<!DOCTYPE a [<!ENTITY % p SYSTEM 'http://127.0.0.1:9/p'> %p;]><a/>",
        "<!DOCTYPE a SYSTEM 'file:///etc/hostname'><a/>",
        "<!DOCTYPE a PUBLIC 'p' 'http://127.0.0.1:9/p'><a/>",
        "<a>&undeclared;</a>",
        // Malformed.
        "<a>", "<a></b>", "<a/><b/>", "", "text", "<a \u{0}/>",
    ])
    func `dangerous and malformed documents are rejected`(text: String) {
        #expect(Self.fault(text) != nil)
    }

    @Test func `a rejected document yields no events`() {
        var seen = 0
        let document = XMLDocument(Array("<!DOCTYPE a [<!ENTITY x 'x'>]><a>before</a>".utf8))
        do {
            try document.forEachEvent { (_, _) throws(XMLFault) in seen += 1 }
            Issue.record("read")
        } catch { #expect(error.message.contains("entities")) }
        #expect(seen == 0)
    }

    @Test func `depth is limited`() {
        let deep = String(repeating: "<a>", count: 300_000)
        #expect(Self.fault(deep) != nil)
    }

    @Test func `length is limited`() {
        let long = "<a>" + String(repeating: " ", count: XMLDocument.longest) + "</a>"
        #expect(Self.fault(long)?.message.contains("8 MiB") == true)
    }
}
