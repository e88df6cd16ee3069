import Testing

@testable import Books

@Suite struct SeriesPlacesTests {
    @Test(
        arguments: [
            ("The Search", "1", "The Search", "2", SeriesPlaces.Relation.otherPlace),
            ("The Search", "2", "Search", "#02", .agree),
            ("The Search", "2", "The Promise", "2", .otherSeries),
            ("The Search", "2", "The Promise", nil, .agree), ("The Search", "1.0", "The Search", "1", .agree),
            ("The Search", "1", "The Search", "1.5", .otherPlace),
        ] as [(String, String?, String, String?, SeriesPlaces.Relation)])
    func `places contradict each other if they are different ones of a series`(
        name: String, number: String?, other: String, otherNumber: String?, relation: SeriesPlaces.Relation
    ) {
        let (one, two) = (SeriesPlaces([(name, number)]), SeriesPlaces([(other, otherNumber)]))
        #expect(one.relation(to: two) == relation)
        #expect(two.relation(to: one) == relation)
    }

    @Test func `one common place is enough`() {
        let one = SeriesPlaces([("Discworld", "8"), ("City Watch", "1")])
        #expect(one.relation(to: SeriesPlaces([("Discworld", "8"), ("Ankh-Morpork", "3")])) == .agree)
        #expect(one.relation(to: SeriesPlaces([("Discworld", "8"), ("City Watch", "2")])) == .otherPlace)
    }
}
