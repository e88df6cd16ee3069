import Application
import Books
import Foundation
import Pipeline
import Syntax

/// A catalog as people and programs are shown it: what it was made from and when, how much it holds.
struct CatalogTable {
    let arguments: ParsedArguments
    let console: Console

    /// Describes the catalog at a path.
    func write(_ path: String) async throws(CommandFailure) {
        let description: CatalogDescription
        do { description = try await Catalog(path).describe() } catch { throw CommandFailure(error) }
        if arguments[StoreOptions.json] {
            var json = JSONWriter()
            description.write(into: &json)
            return try console.write(json.bytes + [UInt8(ascii: "\n")])
        }
        var table = Table(.init("catalog"), .init(path))
        table.add("size", HumanText.bytes(Int(description.bytes)))
        table.add("built", description.builtAt + age(of: description.builtAt))
        table.add("answers as", description.provider)
        table.add("ISBNs", HumanText.count(description.isbns))
        table.add("editions", HumanText.count(description.editions))
        table.add("works", HumanText.count(description.works))
        table.add("authors", HumanText.count(description.authors))
        table.add("people of Wikidata", HumanText.count(description.people))
        for source in description.sources {
            let date = source.dumpDate.map { ", dump of \($0)" } ?? ""
            let malformed = source.malformed > 0 ? ", \(HumanText.count(source.malformed)) malformed" : ""
            table.add(
                "from \(source.name)", "\(HumanText.count(source.records, "record"))\(malformed)\(date)")
        }
        try console.write(table)
    }

    /// How long ago that was, where it is a day or more.
    private func age(of time: String) -> String {
        guard let built = try? Date(time, strategy: .iso8601) else { return "" }
        let days = Int(built.distance(to: Date.now) / 86_400)
        return days < 1 ? "" : ", \(HumanText.count(days, "day")) ago"
    }
}
