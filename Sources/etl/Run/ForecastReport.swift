import Application

/// What `etl plan` shows.
struct ForecastReport {
    let forecast: ImportForecast
    /// What stands behind `etl import` where it is to do what was told of: options that were given, and the files.
    let words: [String]

    func write(to console: Console) throws(CommandFailure) {
        for table in [records, rejects, services, costs] where !table.isEmpty {
            try console.write(table)
            try console.write("\n")
        }
        if forecast.services.isEmpty, forecast.catalogHits == nil {
            try console.write(
                "Nobody would be asked: no catalog is named (--catalog) and no service is set up. The books would be "
                    + "stored as the files tell them.\n\n")
        }
        try console.write(
            "Next: etl import \(TextWidth.printable(words.map(ShellWord.of).joined(separator: " ")))\n")
    }

    private var records: Table {
        var table = Table(.init("records"), .init("", .right), .init("what comes of them"))
        func row(_ name: String, _ count: Int, _ words: String) {
            table.add(name, HumanText.count(count), words)
        }
        row("valid ISBN", forecast.validISBNs, "known by that number")
        row("repaired ISBN", forecast.repairedISBNs, "damaged in a way that has one answer, which is taken")
        row("impossible ISBN", forecast.impossibleISBNs, "stored by title, without the number")
        row("no ISBN", forecast.titlesOnly, "known by title and author alone")
        let setAside = forecast.findings.setAside
        let rejected = forecast.records - forecast.kept - setAside
        if rejected > 0 || setAside == 0 {
            row("rejected", rejected, "nothing to know a book by, or unreadable")
        }
        if setAside > 0 { row("set aside", setAside, "no books: films, deleted ones, a header once more") }
        row("in all", forecast.records, "")
        row("different books", forecast.uniqueKeys, "by ISBN, else by title and first author")
        if let hits = forecast.catalogHits {
            row("rows known offline", hits, "a catalog has their books, no service need be asked")
        }
        return table
    }

    private var rejects: Table {
        var table = Table(.init("rejected because"), .init("", .right))
        for reject in forecast.findings.rejects { table.add(reject.name, HumanText.count(reject.count)) }
        return table
    }

    private var services: Table {
        var table = Table(
            .init("service"), .init("questions", .right), .init("kept", .right), .init("calls", .right),
            .init("time at its pace", .right), .init("of the day's budget", .right))
        for service in forecast.services {
            table.add(
                service.name, HumanText.count(service.questions), HumanText.count(service.kept),
                Self.range(service.calls) { HumanText.count($0) },
                Self.range(service.seconds) { HumanText.duration(seconds: $0) }, Self.budget(service))
        }
        return table
    }

    /// `12 – 40`, or one of them where both read alike.
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
        var table = Table(.init("cost"), .init("", .right), .init("told from"))
        if let seconds = forecast.seconds {
            table.add(
                "time", HumanText.duration(seconds: seconds), "the rate of earlier imports into this store")
        }
        if let seconds = forecast.serviceSeconds {
            table.add(
                "time for services", Self.range(seconds) { HumanText.duration(seconds: $0) },
                "the slowest of them, as all are asked at once")
        }
        if let bytes = forecast.storageBytes {
            table.add("storage", HumanText.bytes(bytes), "what an entry takes in this store")
        }
        return table
    }
}
