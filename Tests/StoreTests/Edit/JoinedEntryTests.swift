import Testing

@testable import Books
@testable import Store

@Suite struct JoinedEntryTests {
    private func entry(_ change: (inout JoinedEntry) -> Void) -> JoinedEntry {
        var entry = JoinedEntry(source: "storygraph")
        change(&entry)
        return entry
    }

    private func joined(_ a: (inout JoinedEntry) -> Void, _ b: (inout JoinedEntry) -> Void) -> JoinedEntry {
        var joined = entry(a)
        joined.add(entry(b))
        return joined
    }

    @Test func `gaps are filled, and nothing is lost that both have`() {
        let result = joined {
            $0.review = "Fine."
            $0.shelves = "desert, favorites"
            $0.dateAdded = "2021-01-01"
        } _: {
            $0.rating = 4.25
            $0.review = "Better the second time."
            $0.shelves = "favorites, sand"
            $0.dateAdded = "2020"
            $0.ownedCopies = 2
            $0.notes = "Lent to Ann."
        }
        #expect(result.rating == 4.25 && result.review == "Fine.\n\nBetter the second time.")
        #expect(result.shelves == "desert, favorites, sand" && result.dateAdded == "2020")
        #expect(result.ownedCopies == 2 && result.notes == "Lent to Ann.")
    }

    @Test func `quarter stars are finer than rounded ones, and a rating that differs goes into the notes`() {
        #expect(
            joined {
                $0.rating = 4
            } _: {
                $0.rating = 4.25
            }.rating == 4.25)
        #expect(
            joined {
                $0.rating = 4.25
            } _: {
                $0.rating = 4
            }.rating == 4.25)
        let result = joined {
            $0.rating = 5
        } _: {
            $0.rating = 2
        }
        #expect(result.rating == 5 && result.notes == "Rating in storygraph: 2")
    }

    @Test func `all readings stay, and one reading with two dates is one`() {
        let result = joined {
            $0.readings = StoredReadings([ReadingDates("2024-05"), ReadingDates("2019-01-01")])
            $0.readCount = 5
        } _: {
            $0.readings = StoredReadings([ReadingDates("2024-04-20/2024-05-01"), ReadingDates("2021-02-02")])
            $0.readCount = 2
        }
        #expect(result.readings.all.map(\.text) == ["2019-01-01", "2021-02-02", "2024-04-20/2024-05-01"])
        #expect(result.readCount == 5)
    }

    @Test func `the more advanced status stays, and a shelf of the user's own is kept as a shelf`() {
        #expect(
            joined {
                $0.shelf = "to-read"
            } _: {
                $0.shelf = "read"
            }.shelf == "read")
        #expect(
            joined {
                $0.shelf = "read"
            } _: {
                $0.shelf = "to-read"
            }.shelf == "read")
        let result = joined {
            $0.shelf = "abandoned"
        } _: {
            $0.shelf = "read"
        }
        #expect(result.shelf == "read" && result.shelves == "abandoned")
    }

    @Test func `an equal entry changes nothing`() {
        let same = entry {
            $0.rating = 3
            $0.shelf = "read"
            $0.shelves = "a, b"
            $0.readings = StoredReadings([ReadingDates("2024-05-01")])
            $0.readCount = 1
            $0.review = "Fine."
        }
        var result = same
        result.add(same)
        #expect(result == same)
    }

    @Test func `a rating or shelf that the user has set stays, and the other one is not lost`() {
        var mine = JoinedEntry(source: "goodreads")
        (mine.rating, mine.isRatingSet) = (4, true)
        (mine.shelf, mine.isShelfSet) = ("to-read", true)
        var theirs = JoinedEntry(source: "storygraph")
        (theirs.rating, theirs.shelf) = (4.25, "favorites")
        mine.add(theirs)
        #expect(mine.rating == 4 && mine.notes == "Rating in storygraph: 4.25")
        #expect(mine.shelf == "to-read" && mine.shelves == "favorites")
        theirs.shelf = "read"
        mine.add(theirs)
        #expect(mine.shelf == "to-read")
    }
}
