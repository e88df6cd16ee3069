public import Pipeline

/// What the user can have the program do, as advice names it.
public enum UserCommand: UserReference {
    /// Continue a job.
    case resume(job: String?)
    /// Import a file again from its beginning; dates that are read in an order the user gave keep it.
    case restart(dates: DateOrder?)
    /// Import a corrected list of a job's rejected records.
    case importCorrected(job: String, dates: DateOrder?)
    /// List the jobs.
    case jobs
    /// Stop a job; the one that is meant, where its name is known.
    case cancel(job: String?)
    /// Look up what services have not answered yet, in all jobs.
    case enrichMissing
    /// List rejected records, of the last job where none is named.
    case errors(job: String?)
    /// Write rejected records as a table that can be corrected and imported.
    case errorTable
    /// Write matches that wait for a decision as a table that can be filled in.
    case reviewTable
    /// Give that table back.
    case applyReview(job: String)
    /// Show what became of a record of a job.
    case explainRow(job: String)
    /// Show how a file is read.
    case inspect
    /// Check the store and the installation.
    case doctor
    /// Build an offline catalog at a path.
    case buildCatalog(path: String)
    /// Export the library as a table that can be imported.
    case exportTable
}

/// What the user can set, as advice names it.
public enum UserSetting: UserReference {
    /// Where the results store is.
    case store
    /// Where an offline catalog is.
    case catalog
    /// The same, for the whole environment.
    case catalogVariable
    /// Where a catalog is built.
    case output
    /// The name of a job.
    case job
    /// The format of a file, or of an export.
    case format
    /// Which column is which: `title=COLUMN`.
    case columns(String)
    /// Which record is the header; `none` where the file has none.
    case header(String?)
    /// Which of day and month comes first in dates.
    case dates(DateOrder)
    /// Forget an unfinished job and begin again.
    case restart
    /// Let an older export overwrite newer values.
    case replace
    /// Services that must answer.
    case require
    /// A reader's library.
    case library
}
