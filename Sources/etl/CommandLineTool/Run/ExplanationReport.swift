import Books
import Contract
import Formats
import Pipeline
import Queries
import Store

/// The text output of `etl explain`.
struct ExplanationReport {
    private let explanation: Explanation
    /// The names of jobs as people type them, by their names.
    private let jobs: [String: String]

    init(_ explanation: Explanation, jobs: [Job]) {
        self.explanation = explanation
        self.jobs = Dictionary(jobs.map { ($0.name, $0.shortName) }, uniquingKeysWith: { first, _ in first })
    }

    func write(to console: Console) throws(CommandFailure) {
        for remark in explanation.remarks { try console.writeText(remark) }
        if let reject = explanation.reject {
            try console.writeText("Row \(reject.row) (line \(reject.line)) was rejected (\(reject.code)).")
            try console.writeText(reject.reason)
        }
        if let title = explanation.title {
            if !explanation.remarks.isEmpty || explanation.reject != nil { try console.write("\n") }
            try console.write(console.style(.bold, TextWidth.printable(title.text)) + "\n")
            if let original = title.original { try console.writeText("Original title: \(original)") }
        }
        if let work = explanation.work {
            try console.write("\n")
            try write(work, "work", console)
        }
        for edition in explanation.editions {
            try console.write("\n")
            try write(edition, "edition", console)
        }
        try writeAuthors(console)
        try writeEntries(console)
        if let sentence = explanation.sentenceWithoutAnswers {
            try console.write("\n")
            let review = "\(console.words.spelled(UserCommand.review(job: nil))) lists the candidates."
            try console.writeText(explanation.hasUncertainMatch ? "\(sentence) \(review)" : sentence)
        }
        for answer in explanation.answers {
            try console.write("\n")
            try console.writeText(
                "\(answer.provider.contractName) \(answer.record): \(answer.match.sentence)")
            if let origin = answer.origin { try console.writeText(origin) }
        }
        try writeRecords(console)
    }

    private func write(_ part: Explanation.Part, _ kind: String, _ console: Console) throws(CommandFailure) {
        var head = "\(kind) \(part.key), quality \(part.quality)"
        if let status = part.reviewStatus { head += ", \(Self.words(status))" }
        if !part.aliases.isEmpty { head += ", also \(part.aliases.joined(separator: ", "))" }
        try console.write(console.style(.bold, TextWidth.printable(head)) + "\n")
        let usual = Self.usualOrigin(of: part)
        if let usual { try console.writeText("Unless noted: \(usual)") }
        var list = DefinitionList()
        for field in part.fields {
            var remarks = Self.remarks(onElementsOf: field)
            if remarks.isEmpty, let origin = Self.origin(of: field), origin != usual {
                remarks.append(origin)
            }
            if field.isLocked { remarks.append("Locked: imports and services do not change it.") }
            remarks += field.lost.map {
                "Not used: \($0.values.joined(separator: "; ")) (\(Self.words($0.source)))"
            }
            list.add(field.field.name, field.values.joined(separator: "; "), remarks: remarks)
        }
        try console.write(list)
    }

    /// The source of a value and why it was taken, in one sentence; nil if neither is known.
    private static func origin(of field: Explanation.FieldTrace) -> String? {
        if case .user = field.source { return "Set \(field.source.map(Self.words) ?? "")" }
        guard let source = field.source else { return field.reason }
        return Self.words(source) + (field.reason.map { ": \($0)" } ?? "")
    }

    /// The origin that most fields of a part have, to be said once; nil if it would not save lines.
    private static func usualOrigin(of part: Explanation.Part) -> String? {
        var counts: [String: Int] = [:]
        for field in part.fields where remarks(onElementsOf: field).isEmpty {
            if let origin = origin(of: field) { counts[origin, default: 0] += 1 }
        }
        // Of two that are as common, the first one by spelling: the output does not depend on chance.
        let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
        return most.flatMap { $0.value >= leastRepeated ? $0.key : nil }
    }

    private static let leastRepeated = 2

    /// The values of each source of a list, with their rule; empty if the list has one source.
    private static func remarks(onElementsOf field: Explanation.FieldTrace) -> [String] {
        var groups: [(first: Explanation.Element, values: [String])] = []
        for element in field.elements {
            if let index = groups.firstIndex(where: {
                $0.first.source == element.source && $0.first.rule == element.rule
            }) {
                groups[index].values.append(element.value)
            } else {
                groups.append((element, [element.value]))
            }
        }
        return groups.map { first, values in
            let reason = first.reason.map { " \($0)" } ?? ""
            return
                "\(first.source.map(words) ?? "unknown source"): \(values.joined(separator: "; ")).\(reason)"
        }
    }

    private static func words(_ source: Explanation.Source) -> String {
        switch source {
        case .provider(let provider, let record, _): "\(provider.contractName) \(record)"
        case .row(let library, let formatName, let id): "\(words(formatName, id)) in library “\(library)”"
        case .otherLibrary: "another library"
        case .user(let editedAt): "by hand\(editedAt.map { ", \(Timestamp.withoutFraction($0))" } ?? "")"
        }
    }

    private static func words(_ status: ReviewStatus) -> String {
        switch status {
        case .verified: "verified"
        case .needsReview: "needs review"
        case .userEdited: "chosen or edited by hand"
        }
    }

    /// An entry's format and the id in its file, if it has one: a composed id is not shown.
    private static func words(_ formatName: String, _ id: String) -> String {
        id.hasPrefix("~") ? "\(formatName), no ID" : "\(formatName) ID \(id)"
    }

    private func writeAuthors(_ console: Console) throws(CommandFailure) {
        guard !explanation.authors.isEmpty else { return }
        try console.write(console.style(.bold, "\nauthors") + "\n")
        var table = Table(
            .init("name", wraps: true), .init("role", isNeverCut: true), .init("gender", isNeverCut: true),
            .init("region", isNeverCut: true), .init("nationality", wraps: true),
            .init("lived", isNeverCut: true),
            .init("identified by", wraps: true))
        for person in explanation.authors {
            let author = person.author
            let years = [author.birthYear, author.deathYear].map { $0.map(String.init) ?? "" }
            table.add(
                author.name, String(describing: person.role), author.gender.contractName,
                author.culturalRegion?.contractName ?? "", author.nationality ?? "",
                years == ["", ""] ? "" : years.joined(separator: "–"),
                Self.words(person))
        }
        try console.write(table)
    }

    /// Identification of a person, with the Wikidata item.
    private static func words(_ person: Explanation.Person) -> String {
        let answer = person.cached.map { ", answer of \($0.moment)" } ?? ""
        let item = person.wikidata.map { "Wikidata \($0)\(answer)" } ?? ""
        let words =
            switch person.identification {
            case .notTried: "not yet"
            case .providerNamesItem: "named in the provider's author record"
            case .itemNamesAuthor: "names the Open Library author"
            case .identifier: "another external identifier agrees"
            case .nameAndYear: "the name and a year of birth or death agree"
            case .nameAndTitle: "the name and a title agree"
            case .refusedNameAlone: "no: only the name agrees"
            case .refusedAmbiguous: "no: several people match"
            case .refusedContradiction: "no: the identifiers contradict each other"
            case .unknownPerson: "no: no person with this name or key is known"
            case .notAPerson: "no: the name is not the name of a person"
            }
        return item.isEmpty ? words : "\(item): \(words)"
    }

    private func writeEntries(_ console: Console) throws(CommandFailure) {
        guard !explanation.entries.isEmpty else { return }
        try console.write(console.style(.bold, "\nlibrary entries") + "\n")
        var table = Table(
            .init("library", isNeverCut: true), .init("source", isNeverCut: true), .init("rating", .right),
            .init("shelf"), .init("read", isNeverCut: true), .init("match", wraps: true))
        for entry in explanation.entries {
            table.add(
                entry.library, Self.words(entry.formatName, entry.sourceID),
                entry.rating.map { "\($0)" } ?? "",
                entry.shelf ?? "", entry.dateRead ?? "", entry.match.map(Self.words) ?? "")
        }
        try console.write(table)
        for entry in explanation.entries {
            if let photo = entry.photo {
                let author = photo.author.isEmpty ? "" : " by \(photo.author)"
                try console.writeText(
                    "\(photo.model) has read “\(photo.title)”\(author) in the photo \(photo.name), and is \(Int((photo.confidence * 100).rounded())) % sure."
                )
            }
            for use in entry.rules {
                let name = String(describing: use.field)
                try console.writeText(
                    "\(Self.words(entry.formatName, entry.sourceID)): \(name) “\(use.before)” became “\(use.after)” by a rule (\(use.origin))"
                )
            }
        }
        for entry in explanation.entries where !entry.edits.isEmpty {
            let edits = entry.edits.map {
                "\($0.field.name) \($0.isSet ? "set by hand \(Timestamp.withoutFraction($0.editedAt))" : "locked")"
            }
            try console.writeText(
                "\(Self.words(entry.formatName, entry.sourceID)): \(edits.joined(separator: ", "))")
        }
    }

    /// A match's score with its evidence and the provider's other records of the book.
    private static func words(_ match: AcceptedMatch) -> String {
        let others =
            match.duplicates.isEmpty
            ? "" : "; further records of the book: \(match.duplicates.joined(separator: ", "))"
        return "\(match.score): \(match.evidence.joined(separator: ", "))\(others)"
    }

    private func writeRecords(_ console: Console) throws(CommandFailure) {
        guard !explanation.records.isEmpty else { return }
        try console.write(console.style(.bold, "\nrecords of this book") + "\n")
        var table = Table(
            .init("job", isNeverCut: true), .init("started", isNeverCut: true), .init("row", .right),
            .init("line", .right), .init("result", wraps: true))
        for visit in explanation.records {
            table.add(
                jobs[visit.job] ?? visit.job, Timestamp.withoutFraction(visit.startedAt), "\(visit.row)",
                "\(visit.line)",
                visit.outcome.sentence)
            for pending in visit.pending {
                table.add("", "", "", "", "pending: \(PendingText.of(pending))")
            }
            for warning in visit.warnings {
                let field = warning.field.map { "\($0): " } ?? ""
                table.add("", "", "", "", "\(field)\(warning.message)")
            }
        }
        try console.write(table)
    }
}
