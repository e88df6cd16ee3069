import Contract
import Jobs
import Queries

/// The text output of `etl plan`.
struct ForecastReport {
    let forecast: ImportForecast
    /// The words after `etl import` for the same import: the given options and the files.
    let words: [String]

    func write(to console: Console) throws(CommandFailure) {
        for table in [records, books, rejects, services, costs] where !table.isEmpty {
            try console.write(table)
            try console.write("\n")
        }
        if forecast.services.isEmpty, forecast.catalogHits == nil {
            try console.writeText(
                "No catalog or service is configured, so books would be imported only with the data in the files. To "
                    + "look them up, add --catalog.")
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
        return table
    }

    private var books: Table {
        var table = Table(.init("books", isNeverCut: true), .init("", .right), .init("meaning", wraps: true))
        table.add(
            "different books", HumanText.count(forecast.uniqueKeys), "by ISBN, or by title and first author")
        if let hits = forecast.catalogHits {
            table.add("found offline", HumanText.count(hits), "a catalog has the book")
        }
        return table
    }

    private var rejects: Table {
        var table = Table(
            .init(ClosingReport.rejectsTitle(forecast.findings), isNeverCut: true), .init("", .right))
        for reject in forecast.findings.rejects { table.add(reject.name, HumanText.count(reject.count)) }
        return table
    }

    private var services: Table {
        let takesDays = forecast.services.contains { ($0.days ?? 1) > 1 }
        var table = Table(
            .init("service", isNeverCut: true), .init("questions", .right), .init("cached", .right),
            .init("requests", .right), .init("time", .right), .init("daily budget: needed", .right),
            .init("left", .right), .init(takesDays ? "days" : "", .right))
        for service in forecast.services {
            table.add(
                service.name, HumanText.count(service.queries), HumanText.count(service.cached),
                Self.range(service.calls) { HumanText.count($0) },
                Self.range(service.seconds) { HumanText.duration(seconds: $0) },
                service.cost.map(HumanText.count) ?? "", service.left.map(HumanText.count) ?? "",
                service.days.map { $0 > 1 ? HumanText.count($0) : "" } ?? "")
        }
        return table
    }

    /// `12 – 40`, or one number if both are the same text.
    static func range<Value>(_ range: ClosedRange<Value>, _ words: (Value) -> String) -> String {
        let (least, most) = (words(range.lowerBound), words(range.upperBound))
        return least == most ? least : "\(least) – \(most)"
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
