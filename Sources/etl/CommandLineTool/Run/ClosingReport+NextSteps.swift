import Books
import Contract
import Jobs
import Store

/// The commands for the next steps: first what is left to do, then what people want next.
extension ClosingReport {
    /// Commands wider than this get a line of their own.
    static let widestCommand = 46

    /// Whether the run had neither a catalog nor a service.
    private var hasNoProvider: Bool { job.options?[.catalog] == nil && outcome.services.isEmpty }

    /// Whether it had none although the user did not ask for that with `--providers`.
    private var lacksProvider: Bool { hasNoProvider && job.options?[.providers] == nil }

    var next: DefinitionList {
        let db = DefaultPaths.option(store: store)
        var list = DefinitionList(widestTerm: Self.widestCommand)
        switch outcome.end {
        case .stopped, .unfinished, .violated, .canceled, .failed:
            guard outcome.corrections == nil else {
                list.add("Run the same command again", "to import the remaining corrected rows")
                break
            }
            list.add("etl resume\(db) \(job.shortName)", "continue the job")
        case .completed, .paused:
            if job.pending > 0 { list.add("etl resume\(db) \(job.shortName)", "complete pending records") }
        }
        addCorrections(db, to: &list)
        if job.counts.successCount > 0 { addViews(db, to: &list) }
        if lacksProvider, job.counts.successCount > 0 {
            list.add(
                "etl catalog build --output catalog.sqlite DUMP…",
                "build an offline catalog; imports with --catalog add covers, genres and authors")
        }
        return list
    }

    /// The commands for rejected rows, warnings and uncertain matches.
    private func addCorrections(_ db: String, to list: inout DefinitionList) {
        let name = job.shortName
        if rejected == 0, summary.findings.setAside > 0 {
            list.add("etl errors\(db) \(name)", "show what was set aside and why")
        }
        if rejected > 0 {
            list.add("etl errors\(db) \(name)", "show rejected rows and the reasons")
            // Corrected rows can only be imported into a complete job.
            if !job.isUnfinished {
                list.add(
                    "etl errors --to csv\(db) \(name) > corrections.csv",
                    "write the rejected rows to a file, to correct them")
                list.add(
                    "etl import --rejects corrections.csv --job \(name)"
                        + "\(CommandSpelling.option(correctedDates))\(db)", "import the corrected rows")
            }
        }
        if !summary.findings.warnings.isEmpty {
            list.add("etl errors --warnings\(db) \(name)", "also show repairs and warnings")
        }
        let reviewed: [ReasonCode] = [.ambiguousMatch, .isbnOtherBook, .isbnOtherAuthor, .isbnOtherTitle]
        if summary.findings.warnings.contains(where: { found in reviewed.contains { $0.code == found.name } })
        {
            list.add("etl review\(db) \(name)", "decide uncertain matches")
        }
    }

    /// The commands that show the library.
    private func addViews(_ db: String, to list: inout DefinitionList) {
        // The store may have the libraries of other people, too.
        let library =
            job.library == JobOptions.defaultLibrary ? "" : " --library \(ShellWord.of(job.library))"
        list.add("etl list\(library)\(db)", "list the books")
        guard job.counts.booksCreated + job.counts.booksUpdated > 0 else { return }
        list.add("etl stats\(library)\(db)", "show figures: books by year, ratings, genres, authors")
        list.add("etl stats --html library.html\(library)\(db)", "write the library as a page")
        list.add("etl serve\(db)", "browse the library on http://127.0.0.1:8787")
        switch summary.duplicatesToReview {
        case nil: list.add("etl duplicates\(library)\(db)", "list entries of the same book")
        case 0: break
        case _: list.add("etl duplicates --all\(db)\(library)", "show the duplicates that were not joined")
        }
    }
}
