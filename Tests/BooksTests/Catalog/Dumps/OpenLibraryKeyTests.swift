import Testing

@testable import Books

@Suite struct OpenLibraryKeyTests {
    @Test func readsKeysOfTodayAndOfOldWithOrWithoutPath() {
        #expect(OpenLibraryKey("/works/OL45804W") == OpenLibraryKey(.work, 45_804))
        #expect(OpenLibraryKey("OL7353617M") == OpenLibraryKey(.edition, 7_353_617))
        #expect(OpenLibraryKey("/a/OL34184A") == OpenLibraryKey(.author, 34_184))
        #expect(OpenLibraryKey("/b/OL1M")?.name == "OL1M")
    }

    @Test func refusesWhatIsNoKey() {
        for text in [
            "", "OL", "OLW", "OL0W", "OL12", "OL12X", "OL1 2W", "QL12W", "/languages/eng", "OL_space_M",
            "OL1234567890123456W", "OL99999999999999999999W", "OL12W/x",
        ] {
            #expect(OpenLibraryKey(text) == nil, "\(text)")
        }
    }
}
