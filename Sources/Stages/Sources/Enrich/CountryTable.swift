import Books
import Bytes

/// Countries, former states and territories by Wikidata item, with name and region. The table is
/// `countries.tsv`.
///
/// The regions follow UN M49 with these exceptions: Egypt and Turkey are in the Middle East, the Caucasus and
/// Russia in Europe, Mexico and Central America in North America. A colony has the region of its territory,
/// an empire that of its centre. Items that could not be verified are left out: no region is better than a
/// wrong one.
struct CountryTable: Sendable {
    struct Country: Sendable, Hashable {
        var name: String
        var region: CulturalRegion
    }

    static let standard = CountryTable(PackageResources.countries_tsv)

    private let countries: [UInt32: Country]
    var count: Int { countries.count }

    /// - Parameter text: A line with only a region's name, followed by a line `item<TAB>name` for each of its
    ///   countries.
    init(_ text: [UInt8]) {
        var countries: [UInt32: Country] = [:]
        countries.reserveCapacity(text.count / 20)
        var region = CulturalRegion.international
        text.withUnsafeBytes { text in
            for line in TableLines(text) {
                if let item = TableLine.number(line.field(0)) {
                    let name = String(decoding: line.field(1), as: UTF8.self)
                    countries[item] = Country(name: name, region: region)
                } else {
                    let name = String(decoding: line.field(0), as: UTF8.self)
                    region = CulturalRegion(contractName: name) ?? .international
                }
            }
        }
        self.countries = countries
    }

    func country(_ item: UInt32) -> Country? { countries[item] }
}
