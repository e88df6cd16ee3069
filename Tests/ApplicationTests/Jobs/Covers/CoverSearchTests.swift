import System
import TestSupport
import Testing

@testable import Jobs
@testable import Queries

/// State of one edition when a run ends early, or an address was not answered.
@Suite struct CoverSearchTests {
    private var search = CoverSearch([(edition: 1, work: 1)], sharedBy: 3)
    private let offers = [
        CoverOffer(address: "https://a.example/1", isOfWork: false, image: 0),
        CoverOffer(address: "https://b.example/2", isOfWork: false, image: 1),
        CoverOffer(address: "https://a.example/w", isOfWork: true, image: 2),
    ]

    private mutating func note(_ image: [UInt8]?) throws {
        let offer = search.offer(of: 0, among: offers)
        search.note(image.flatMap { CoverImage($0) }, of: 0, isOfWork: try #require(offer).isOfWork)
    }

    private mutating func fail(_ outcome: LookupOutcome) throws {
        let offer = search.offer(of: 0, among: offers)
        #expect(offer != nil)
        search.noteUnanswered(0, outcome)
    }

    private mutating func best() -> (image: CoverSearch.Found, unanswered: LookupOutcome?)? {
        search.best(0, among: offers)
    }

    @Test mutating func `an image is provisional while an address is left that can have a better one`() throws
    {
        try note(ImageFixture.png(200, 300))
        let first = best()
        #expect(first?.image.place == 0 && first?.unanswered == .stopped)
        try note(ImageFixture.png(400, 600))
        let second = best()
        #expect(second?.image.place == 1 && second?.unanswered == nil)
        #expect(search[0].state == .found)
    }

    @Test mutating func `an image is provisional if an earlier address was not answered`() throws {
        try fail(.timeout)
        try note(ImageFixture.png(200, 300))
        let found = best()
        #expect(found?.image.place == 1 && found?.unanswered == .timeout)
    }

    @Test mutating func `without an image there is none, whatever is left`() throws {
        let first = best()
        #expect(first == nil)
        try note(nil)
        try fail(.timeout)
        try note(nil)
        let last = best()
        #expect(last == nil)
        #expect(search[0].state == .unanswered(.timeout))
    }
}
