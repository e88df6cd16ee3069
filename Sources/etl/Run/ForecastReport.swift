import Application

/// The text output of `etl plan`.
struct ForecastReport {
    let forecast: ImportForecast
    /// The words after `etl import` for the same import: the given options and the files.
    let words: [String]

    func write(to console: Console) throws(CommandFailure) {
        for table in [records, rejects, services, costs] where !table.isEmpty {
            try console.write(table)
            try console.write("\n")
        }
        if forecast.services.isEmpty, forecast.catalogHits == nil {
            try console.writeText(
                "No provider would be asked: there is no catalog (--catalog) and no configured service. The books "
                    + "would be stored with the data in the files.")
            try console.write("\n")
        }
        try console.write(
            "Next: etl import \(TextWidth.printable(words.map(ShellWord.of).joined(separator: " ")))\n")
    }

    private var records: Table {
        var table = Table(
            .init("records", isNeverCut: true), .init("", .right), .init("meaning", wraps: true))
        func row(_ name: String, _ count: Int, _ words: String) {
            table.add(name, HumanText.count(count), words)
        }
        row("valid ISBN", forecast.validISBNs, "looked up by ISBN")
        row("repaired ISBN", forecast.repairedISBNs, "damaged, and only one repair is possible")
        row("impossible ISBN", forecast.impossibleISBNs, "stored by title, without the ISBN")
        row("no ISBN", forecast.titlesOnly, "identified by title and author")
        let setAside = forecast.findings.setAside
        let rejected = forecast.records - forecast.imported - setAside
        if rejected > 0 || setAside == 0 {
            row("rejected", rejected, "no title and no ISBN, or unreadable")
        }
        if setAside > 0 { row("set aside", setAside, ClosingReport.setAsideMeaning) }
        row("total", forecast.records, "")
        row("different books", forecast.uniqueKeys, "by ISBN, else by title and first author")
        if let hits = forecast.catalogHits {
            row("found offline", hits, "a catalog has the book")
        }
        return table
    }

    private var rejects: Table {
        var table = Table(.init("rejected because", isNeverCut: true), .init("", .right))
        for reject in forecast.findings.rejects { table.add(reject.name, HumanText.count(reject.count)) }
        return table
    }

    private var services: Table {
        var table = Table(
            .init("service", isNeverCut: true), .init("questions", .right), .init("cached", .right),
            .init("requests", .right), .init("time", .right), .init("daily budget", .right))
        for service in forecast.services {
            table.add(
                service.name, HumanText.count(service.queries), HumanText.count(service.cached),
                Self.range(service.calls) { HumanText.count($0) },
                Self.range(service.seconds) { HumanText.duration(seconds: $0) }, Self.budget(service))
        }
        return table
    }

    /// `12 – 40`, or one number if both are the same text.
    private static func range<Value>(_ range: ClosedRange<Value>, _ words: (Value) -> String) -> String {
        let (least, most) = (words(range.lowerBound), words(range.upperBound))
        return least == most ? least : "\(least) – \(most)"
    }

    private static func budget(_ service: ServiceForecast) -> String {
        guard let cost = service.cost, let left = service.left, let days = service.days else { return "" }
        let words = "\(HumanText.count(cost)) of \(HumanText.count(left)) left"
        return days > 1 ? "\(words): \(HumanText.count(days, "day"))" : words
    }

    private var costs: Table {
        var table = Table(.init("cost", isNeverCut: true), .init("", .right), .init("basis", wraps: true))
        if let seconds = forecast.seconds {
            table.add(
                "time", HumanText.duration(seconds: seconds), "the rate of earlier imports into this store")
        }
        if let seconds = forecast.serviceSeconds {
            table.add(
                "time for services", Self.range(seconds) { HumanText.duration(seconds: $0) },
                "the slowest service; all are asked at the same time")
        }
        if let bytes = forecast.storageBytes {
            table.add("storage", HumanText.bytes(bytes), "the size of an entry in this store")
        }
        return table
    }
}
