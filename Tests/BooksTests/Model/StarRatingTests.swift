import Testing

@testable import Books

@Suite struct StarRatingTests {
    private func read(_ text: String) -> StarRating.Reading {
        Array(text.utf8).withUnsafeBytes { StarRating.read($0) }
    }

    @Test(arguments: ["0", "4", "3.75", "0.0", "5.0"])
    func `what everybody understands stays as it is`(text: String) {
        #expect(read(text) == .plain)
    }

    @Test(arguments: [
        ("4,5", 4.5), (" 4 ", 4), ("4/5", 4), ("8/10", 4), ("7/10", 3.5), ("75/100", 3.75), ("★★★★☆", 4),
        ("⭐⭐", 2), ("★★★½", 3.5), ("4 stars", 4), ("1 star", 1),
    ])
    func `other words for stars are read on the same scale`(text: String, stars: Double) {
        #expect(read(text) == .stars(stars))
    }

    @Test(arguments: ["", "  ", "-", "0/5", "☆☆☆"])
    func `nothing is no rating`(text: String) {
        #expect(read(text) == .absent)
    }

    @Test(arguments: ["85", "-1", "5.25", "good", "6/5", "4/0", "nan", "1e1", "4/5/6", "★★★★★★", "1.2.3"])
    func `what is no rating of five stars is told of`(text: String) {
        #expect(read(text) == .damaged)
    }
}
