import TestSupport
import Testing

@testable import Books
@testable import Sources

@Suite
struct PersonFactsTests {
    @Test(
        arguments: [
            ([], false, nil, nil), ([1033], false, "Nigeria", .africa),
            ([30, 145], false, "United States", .international),
            ([183, 142], false, "Germany", .europe), ([999_999_999], false, nil, nil),
            ([999_999_999, 1033], false, "Nigeria", .africa), ([16], true, "Canada", .indigenous),
            ([], true, nil, .indigenous),
        ] as [([UInt32], Bool, String?, CulturalRegion?)])
    func `nationality is the first country, region the one all countries share`(
        countries: [UInt32], indigenous: Bool, name: String?, region: CulturalRegion?
    ) {
        var facts = PersonFacts(item: 1, kind: .human)
        facts.citizenships = countries
        facts.isIndigenous = indigenous
        #expect(facts.nationality?.hasPrefix(name ?? "-") ?? (name == nil))
        #expect(facts.region == region)
    }

    @Test
    func `the tables are complete`() {
        #expect(CountryTable.standard.count > 750)
        #expect(
            CountryTable.standard.country(30)
                == .init(name: "United States", region: .northAmerica))
        #expect(CountryTable.standard.country(79)?.region == .middleEast)
        #expect(PersonItems.isIndigenous(105_405) && !PersonItems.isIndigenous(45))
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `packing and unpacking a person round-trips`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let person = Self.person(&random)
            #expect(person.packed.withUnsafeBytes(PersonFacts.init(packed:)) == person)
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `truncated bytes give no person, and damaged bytes none or a complete one`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let packed = Self.person(&random).packed
            for length in 0..<packed.count {
                #expect(packed[..<length].withUnsafeBytes(PersonFacts.init(packed:)) == nil)
            }
            #expect((packed + [0]).withUnsafeBytes(PersonFacts.init(packed:)) == nil)
            var damaged = packed
            damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(
                in: 0...255, using: &random)
            if let person = damaged.withUnsafeBytes(PersonFacts.init(packed:)) {
                #expect(person.packed.withUnsafeBytes(PersonFacts.init(packed:)) == person)
            }
        }
        var newer = Self.person(&random).packed
        newer[0] = 2
        #expect(newer.withUnsafeBytes(PersonFacts.init(packed:)) == nil)
    }

    private static func person(_ random: inout SeededGenerator) -> PersonFacts {
        func texts(_ random: inout SeededGenerator) -> [String] {
            (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                String(
                    repeating: ["a", "é", "OL1A", "中"].randomElement(using: &random) ?? "",
                    count: Int.random(in: 0..<60, using: &random))
            }
        }
        let kinds: [PersonFacts.Kind] = [.other, .human, .pseudonym]
        var person = PersonFacts(
            item: .random(in: 0...(.max), using: &random), kind: kinds.randomElement(using: &random) ?? .human
        )
        person.label = texts(&random).first ?? ""
        person.aliases = texts(&random)
        person.gender = AuthorGender.allCases.randomElement(using: &random) ?? .unknown
        person.citizenships = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
            .random(in: 0...(.max), using: &random)
        }
        person.isIndigenous = Bool.random(using: &random)
        person.birthYear = [nil, .min, .max, -44, 0, 1950].randomElement(using: &random) ?? nil
        person.deathYear = [nil, .min, .max, -1, 2011].randomElement(using: &random) ?? nil
        person.openLibraryKeys = texts(&random)
        person.viaf = texts(&random)
        person.isni = texts(&random)
        person.goodreads = texts(&random)
        return person
    }
}
