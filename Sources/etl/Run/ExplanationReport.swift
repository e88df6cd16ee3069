import Application
import Books
import Pipeline

/// The text output of `etl explain`.
struct ExplanationReport {
    private let explanation: Explanation

    init(_ explanation: Explanation) { self.explanation = explanation }

    func write(to console: Console) throws(CommandFailure) {
        for remark in explanation.remarks { try console.write(TextWidth.printable(remark) + "\n") }
        if let reject = explanation.reject {
            try console.write(
                "Row \(reject.row) (line \(reject.line)) was rejected: \(reject.code)\n\(reject.reason)\n")
        }
        if let work = explanation.work { try write(work, "work", console) }
        for edition in explanation.editions { try write(edition, "edition", console) }
        try writeAuthors(console)
        try writeEntries(console)
        if let sentence = explanation.sentenceWithoutAnswers { try console.write("\n\(sentence)\n") }
        for answer in explanation.answers {
            try console.write(
                "\n\(answer.provider.contractName) \(answer.record): \(answer.match.sentence)\n"
                    + (answer.origin.map { TextWidth.printable($0) + "\n" } ?? ""))
        }
        try writeRecords(console)
    }

    private func write(_ part: Explanation.Part, _ kind: String, _ console: Console) throws(CommandFailure) {
        var head = "\n\(kind) \(part.key), quality \(part.quality)"
        if let status = part.reviewStatus { head += ", \(status.contractName)" }
        if !part.aliases.isEmpty { head += ", also \(part.aliases.joined(separator: ", "))" }
        try console.write(console.style(.bold, head) + "\n")
        var list = DefinitionList()
        for field in part.fields {
            var remarks: [String] = []
            if let source = field.source {
                remarks.append(Self.words(source) + (field.reason.map { ": \($0)" } ?? ""))
            } else if let reason = field.reason {
                remarks.append(reason)
            }
            remarks += field.lost.map {
                "Not used: \($0.values.joined(separator: "; ")) (\(Self.words($0.source)))"
            }
            list.add(field.field.name, field.values.joined(separator: "; "), remarks: remarks)
        }
        try console.write(list)
    }

    private static func words(_ source: Explanation.Source) -> String {
        switch source {
        case .provider(let provider, let record, _): "\(provider.contractName) \(record)"
        case .row(let library, let profile, let id): "\(library)'s \(profile) row \(id)"
        }
    }

    private func writeAuthors(_ console: Console) throws(CommandFailure) {
        guard !explanation.authors.isEmpty else { return }
        try console.write(console.style(.bold, "\nauthors") + "\n")
        var table = Table(
            .init("name", wraps: true), .init("role"), .init("gender"), .init("region"), .init("nationality"),
            .init("lived", isWhole: true), .init("identified by", wraps: true))
        for person in explanation.authors {
            let author = person.author
            let years = [author.birthYear, author.deathYear].map { $0.map(String.init) ?? "" }
            table.add(
                author.name, String(describing: person.role), author.gender.contractName,
                author.culturalRegion?.contractName ?? "", author.nationality ?? "",
                years == ["", ""] ? "" : years.joined(separator: "–"),
                person.identification.sentence
                    + (person.wikidata.map {
                        " (\($0)\(person.kept.map { ", answer of \($0.moment)" } ?? ""))"
                    }
                        ?? ""))
        }
        try console.write(table)
    }

    private func writeEntries(_ console: Console) throws(CommandFailure) {
        guard !explanation.entries.isEmpty else { return }
        try console.write(console.style(.bold, "\nlibrary entries") + "\n")
        var table = Table(
            .init("library", isWhole: true), .init("source", isWhole: true), .init("rating", .right),
            .init("shelf"), .init("read", isWhole: true))
        for entry in explanation.entries {
            table.add(
                entry.library, "\(entry.profile) \(entry.sourceID)", entry.rating.map { "\($0)" } ?? "",
                entry.shelf ?? "", entry.dateRead ?? "")
        }
        try console.write(table)
    }

    private func writeRecords(_ console: Console) throws(CommandFailure) {
        guard !explanation.records.isEmpty else { return }
        try console.write(console.style(.bold, "\nrecords of this book") + "\n")
        var table = Table(
            .init("job", isWhole: true), .init("started", isWhole: true), .init("row", .right),
            .init("line", .right), .init("result", wraps: true))
        for visit in explanation.records {
            table.add(
                visit.job, Timestamp.withoutFraction(visit.startedAt), "\(visit.row)", "\(visit.line)",
                visit.outcome.sentence)
            for notice in visit.notices {
                let field = notice.field.map { "\($0): " } ?? ""
                table.add("", "", "", "", "\(field)\(notice.message)")
            }
        }
        try console.write(table)
    }
}
