import Contract
import Testing

@testable import Jobs

/// What image models write about a photo of 2,000 by 1,000 pixels.
@Suite struct ModelBooksTests {
    private func books(_ words: String) -> [Detection]? {
        ModelBooks.books(in: words, of: .init(width: 2_000, height: 1_000))
    }

    @Test func `a list of books is read with its boxes as fractions`() throws {
        let read = try #require(
            books(
                #"[{"box_2d":[100,50,900,80],"title":" The Paper\n Lighthouse ","author":"Ada Example","isbn":null,"confidence":0.93}]"#
            ))
        #expect(
            read == [
                Detection(
                    title: "The Paper Lighthouse", author: "Ada Example", confidence: 0.93,
                    box: BoundingBox(x: 0.05, y: 0.1, width: 0.03, height: 0.8))
            ])
    }

    @Test(arguments: [
        "[]", #"{"books":[]}"#, "```json\n[]\n```", "Here they are:\n```\n[]\n```\nI hope this helps.",
        #"{"note":"no books here","books":[]}"#,
    ])
    func `a photo without books is read`(words: String) { #expect(books(words) == []) }

    @Test(arguments: [
        "", "I see three books.", "[", "null", "7", #"{"books":7}"#, #"["Emma"]"#, #"[{"title":"Emma"}]"#,
        #"[{"title":"Emma","confidence":"high"}]"#, #"[{"title":7,"confidence":1}]"#,
        #"[{"title":"Emma","confidence":1}"#, #"[{"title":"Emma","confidence":1}] and more"#,
        #"[{"title":"Emma","confidence":-1}]"#,
    ])
    func `anything else is an error, so that the model is asked again`(words: String) {
        #expect(books(words) == nil)
    }

    @Test(arguments: [
        // Thousandths, the other way round, beyond the edge.
        ("\"box_2d\":[900,80,100,50]", BoundingBox(x: 0.05, y: 0.1, width: 0.03, height: 0.8)),
        ("\"box_2d\":[-20,900,500,1000]", BoundingBox(x: 0.9, y: 0, width: 0.1, height: 0.5)),
        // Fractions.
        ("\"box_2d\":[0.1,0.05,0.9,0.08]", BoundingBox(x: 0.05, y: 0.1, width: 0.03, height: 0.8)),
        (
            "\"boundingBox\":{\"x\":0.5,\"y\":0,\"width\":0.5,\"height\":1}",
            BoundingBox(x: 0.5, y: 0, width: 0.5, height: 1)
        ),
        // Pixels.
        ("\"box_2d\":[100,1100,900,1500]", BoundingBox(x: 0.55, y: 0.1, width: 0.2, height: 0.8)),
        (
            "\"box\":{\"x\":1000,\"y\":500,\"width\":1000,\"height\":500}",
            BoundingBox(x: 0.5, y: 0.5, width: 0.5, height: 0.5)
        ),
        // Impossible ones.
        ("\"box_2d\":[100,50,100,50]", nil), ("\"box_2d\":[1,2,3]", nil), ("\"box_2d\":null", nil),
        ("\"box_2d\":[100,50,900,\"x\"]", nil), ("\"box_2d\":\"left\"", nil),
        ("\"box\":{\"x\":1,\"y\":2}", nil), ("\"box_2d\":[1e999,0,1,1]", nil),
    ])
    func `boxes are fractions of the photo whatever the model writes`(
        text: String, box: BoundingBox?
    ) throws {
        let read = try #require(books("[{\"title\":\"Emma\",\"confidence\":1,\(text)}]"))
        #expect(read[0].box == box)
    }

    @Test(arguments: [("0.5", 0.5), ("95", 0.95), ("1", 1), ("\"0.7\"", 0.7), ("1000", 1), ("0", 0)])
    func `confidence is from 0 to 1`(text: String, confidence: Double) throws {
        #expect(
            try #require(books("[{\"title\":\"Emma\",\"confidence\":\(text)}]"))[0].confidence == confidence)
    }

    @Test func `several authors, long texts and endless lists are cut to what a library can have`() throws {
        let many = try #require(
            books(#"[{"title":"Good Omens","authors":["Terry Pratchett","","Neil Gaiman"],"confidence":1}]"#))
        #expect(many[0].author == "Terry Pratchett, Neil Gaiman")
        let long = String(repeating: "very ", count: 1_000)
        #expect(
            try #require(books("[{\"title\":\"\(long)\",\"confidence\":1}]"))[0].title.unicodeScalars.count
                == 500)
        let one = #"{"title":"Emma","confidence":1}"#
        let endless = "[" + Array(repeating: one, count: 10_000).joined(separator: ",") + "]"
        #expect(try #require(books(endless)).count == ModelBooks.most)
    }

    @Test func `a reading is the same after it was kept`() {
        let readings: [PhotoReading] = [
            .books([]), .refused("SAFETY"),
            .books([
                Detection(
                    title: "Übung \"1\"", author: "A", isbn: "9780000000002", confidence: 0.5,
                    box: BoundingBox(x: 0.1234, y: 0, width: 0.5, height: 1)),
                Detection(title: "", confidence: 0),
            ]),
        ]
        for reading in readings { #expect(PhotoReading(kept: reading.kept) == reading) }
        for text in ["", "{}", "[]", #"{"books":[{"title":"x"}]}"#, #"{"books":[]"#] {
            #expect(PhotoReading(kept: Array(text.utf8)) == nil)
        }
    }
}
