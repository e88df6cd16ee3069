import Books
import Contract
import FoundationEssentials
import Glibc
import Sources
import Syntax
import System

/// The description of a catalog, as a list or as JSON: dumps, age, contents.
struct CatalogTable {
    let arguments: ParsedArguments
    let console: Console

    /// Describes the catalog at a path.
    func write(_ path: String) async throws(CommandFailure) {
        let description: CatalogDescription
        do {
            description = try await Catalog(path).describe()
        } catch {
            guard error.kind == .missing, FileSystem.access(path, F_OK) != 0 else {
                throw CommandFailure(error)
            }
            throw CommandFailure(
                .missing, error.message,
                advice: """
                    Build one with \(UserCommand.buildCatalog(path: path)), or specify an existing one: \
                    \(UserCommand.describeCatalog).
                    """)
        }
        if arguments[StoreOptions.json] {
            return try console.writeJSON { description.write(into: &$0) }
        }
        var list = DefinitionList()
        list.add("catalog", path)
        list.add("size", HumanText.bytes(Int(description.bytes)))
        list.add("built", description.builtAt + age(of: description.builtAt))
        list.add("provider", description.provider)
        list.add("ISBNs", HumanText.count(description.isbns))
        list.add("editions", HumanText.count(description.editions))
        list.add("works", HumanText.count(description.works))
        list.add("authors", HumanText.count(description.authors))
        list.add("people", HumanText.count(description.people))
        for source in description.sources {
            let date = source.dumpDate.map { ", made \($0)" } ?? ""
            let malformed = source.malformed > 0 ? ", \(HumanText.count(source.malformed)) malformed" : ""
            list.add(
                "dump", "\(source.name): \(HumanText.count(source.records, "record"))\(malformed)\(date)")
        }
        try console.write(list)
    }

    /// The age in days; empty for less than a day.
    private func age(of time: String) -> String {
        guard let built = try? Date(time, strategy: .iso8601) else { return "" }
        let days = Int(built.distance(to: Date.now) / 86_400)
        return days < 1 ? "" : ", \(HumanText.count(days, "day")) ago"
    }
}
