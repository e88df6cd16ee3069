import Books
import Contract
import Database
import Sources
import Store
import System

/// Determines when providers' answers were given and where they come from: a cached answer of a service, or a
/// catalog that a job asked.
struct AnswerOrigins {
    private let sources: CachedSources
    /// The jobs that led to the book.
    private let jobs: [Job]
    /// When the last of them ended. Answers fetched later were not used.
    private let end: Int64
    private let isbns: [String]
    private let titles: [String]

    /// - Parameters:
    ///   - explanation: The book's parts and the records that led to it.
    ///   - entries: Row ids of its entries.
    init(of explanation: Explanation, entries: [Int64], in connection: Connection) throws(ETLError) {
        sources = try CachedSources(connection)
        let table = JobTable(connection)
        var jobs: [Job] = []
        for visit in explanation.records where !jobs.contains(where: { $0.name == visit.job }) {
            if let job = try table.job(named: visit.job) { jobs.append(job) }
        }
        self.jobs = jobs
        end = jobs.map { $0.endedAt ?? .max }.max() ?? .max
        let parts = explanation.editions + (explanation.work.map { [$0] } ?? [])
        func values(_ fields: Field...) -> [String] {
            parts.flatMap(\.fields).filter { fields.contains($0.field) }.flatMap(\.values)
        }
        isbns = values(.isbn13).filter { $0.utf8.count == 13 }
        var titles = values(.title, .editionTitle)
        let offers = try SourceValues(connection)
        for entry in entries { titles += try offers.offer(of: .entry(entry))?.values[.title] ?? [] }
        self.titles = titles
    }

    /// The answer with its origin.
    func completed(_ answer: Explanation.Answer) throws(ETLError) -> Explanation.Answer {
        var answer = answer
        let service = answer.provider.contractName
        answer.catalogs = catalogs(of: answer.provider)
        let asked = jobs.filter { $0.runState.services.map { $0.contains(service) } ?? true }
        guard answer.match != .openLibraryKey, !asked.isEmpty || jobs.isEmpty else { return answer }
        let cached =
            answer.match == .isbn
            ? try sources.answer(of: service, naming: answer.record, toISBNs: isbns)
            : try sources.answer(of: service, naming: answer.record, toTitles: titles)
        if let cached {
            answer.response = cached.fetchedAt <= end ? .cached(cached) : .replaced(cached)
        } else {
            answer.response = .notCached
        }
        return answer
    }

    /// Wikidata's cached answer about an item; nil if there is none.
    func answer(toItem item: String?) throws(ETLError) -> CachedSources.Found? {
        guard let item else { return nil }
        return try sources.answer(of: ServiceDefinition.wikidata.name, toItem: item)
    }

    /// The catalogs that the jobs asked and that answer under a provider's name.
    private func catalogs(of provider: Provider) -> [CatalogReference] {
        var all: [CatalogReference] = []
        for job in jobs {
            let noted = job.runState.catalogs ?? []
            for note in noted where !all.contains(note) {
                if note.provider ?? Provider.openLibrary.contractName == provider.contractName {
                    all.append(note)
                }
            }
        }
        return all
    }
}
