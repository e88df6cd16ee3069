import System

/// A command that advice refers to. The program spells it; see `UserText`.
package enum UserCommand: UserReference {
    /// Continue a job.
    case resume(job: String?)
    /// Import a file, by name if it is the only one, again from the start. Keeps the date order if the user
    /// specified one.
    case restart(file: String?, dates: DateOrder?)
    /// Import corrected rows of a job.
    case importCorrected(job: String, dates: DateOrder?)
    /// List the jobs.
    case jobs
    /// Take a job back.
    case undo(job: String)
    /// Stop a job, by name if it is known.
    case cancel(job: String?)
    /// Ask services again for everything unanswered, in all jobs.
    case retry
    /// List rejected records of a job; of the newest one if none is named.
    case errors(job: String?)
    /// Write rejected records as a table to correct and import.
    case errorTable(job: String?)
    /// Show the uncertain matches of a job; of the newest one if none is named.
    case review(job: String?)
    /// Write the uncertain matches of a job as a table to fill in.
    case reviewTable(job: String?)
    /// Import the filled-in table of reviews.
    case applyReview(job: String)
    /// Show what happened to a record of a job.
    case explainRow(job: String)
    /// Propose rules for what a file says.
    case suggestRules(file: String)
    /// Show how a file is parsed.
    case inspect(file: String?)
    /// Check the store and the installation.
    case doctor
    /// Build an offline catalog at a path.
    case buildCatalog(path: String)
    /// Describe a catalog.
    case describeCatalog
    /// Export the library as a table that can be imported again.
    case exportTable
    /// Write entries of the same book as a table to fill in.
    case duplicateTable
    /// Combine books that are one.
    case mergeBooks
    /// Take editions out of a book.
    case splitBook
    /// Compute the vectors of works that have none, or of which the text has changed.
    case embed
    /// Import the books in photos of shelves.
    case scan
}

/// A setting that advice refers to. The program spells it; see `UserText`.
package enum UserSetting: UserReference {
    /// Path of the store.
    case store
    /// Path of a catalog.
    case catalog
    /// Path of a catalog, as an environment variable.
    case catalogVariable
    /// Output path of a catalog build.
    case output
    /// The name of a job.
    case job
    /// Whether later jobs are undone as well.
    case withLater
    /// The format of a file, or of an export.
    case format
    /// Which column is which field: `title=COLUMN`.
    case columns(String)
    /// Which record is the header; `none` if the file has no header.
    case header(String?)
    /// Whether day or month comes first in dates.
    case dates(DateOrder)
    /// The encoding of a file.
    case encoding(String)
    /// Add dumps to an existing catalog.
    case update
    /// Discard an unfinished job and start again.
    case restart
    /// Let an older export overwrite newer values.
    case replace
    /// Services that must answer.
    case require
    /// The name of a library.
    case library
    /// The file belongs to the owner of the library, although most books were added on other days.
    case samePerson
}

/// Whether day or month comes first in dates that end with the year: `16/10/2020` or `10/16/2020`.
///
/// A date that is possible in only one order is read in that order, regardless of this setting.
package enum DateOrder: String, Sendable, Hashable, Codable, CaseIterable {
    /// Most of the world. The default if nothing is known.
    case dayFirst = "day-first"
    /// United States.
    case monthFirst = "month-first"

    /// The allowed values, to complete "must be".
    package static let requirement = "one of \(allCases.map(\.rawValue).joined(separator: ", "))"

    package var opposite: DateOrder { self == .dayFirst ? .monthFirst : .dayFirst }
}
