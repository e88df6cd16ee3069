import Stages

/// What `etl plan` shows.
struct ForecastReport {
    let forecast: ImportForecast
    let names: [String]

    func write(to console: Console) throws(CommandFailure) {
        for table in [records, rejects, costs] where !table.isEmpty {
            try console.write(table)
            try console.write("\n")
        }
        try console.write("Next: etl import \(names.joined(separator: " "))\n")
    }

    private var records: Table {
        var table = Table(.init("records"), .init("", .right), .init("what they have"))
        func row(_ name: String, _ count: Int, _ words: String) {
            table.add(name, HumanText.count(count), words)
        }
        row("valid ISBN", forecast.validISBNs, "looked up as it stands")
        row("repaired ISBN", forecast.repairedISBNs, "damaged, with one certain answer")
        row("impossible ISBN", forecast.impossibleISBNs, "kept by title, without the number")
        row("no ISBN", forecast.titlesOnly, "looked up by title and author")
        let setAside = forecast.findings.setAside
        row(
            "rejected", forecast.records - forecast.kept - setAside,
            "nothing to look a book up by, or unreadable")
        if setAside > 0 { row("set aside", setAside, "no books, or deleted where they come from") }
        row("in all", forecast.records, "")
        row("different books", forecast.uniqueKeys, "by ISBN, else by title and first author")
        if let hits = forecast.catalogHits { row("known offline", hits, "no provider need be asked") }
        return table
    }

    private var rejects: Table {
        var table = Table(.init("rejected because"), .init("", .right))
        for reject in forecast.findings.rejects { table.add(reject.name, HumanText.count(reject.count)) }
        return table
    }

    private var costs: Table {
        var table = Table(.init("cost"), .init("", .right), .init("told from"))
        if let seconds = forecast.seconds {
            table.add(
                "time", HumanText.duration(seconds: seconds), "the rate of earlier imports into this store")
        }
        if let bytes = forecast.storageBytes {
            table.add("storage", HumanText.bytes(bytes), "what an entry takes in this store")
        }
        return table
    }
}
