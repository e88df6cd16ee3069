package import Books
package import Pipeline
package import Services

/// What an import tells while it runs.
package enum ImportEvent: Sendable {
    /// The files were looked at.
    case surveyed(LibrarySurvey)
    /// The job has begun, or goes on from its checkpoint.
    case began(Job)
    case ran(RunEvent)
    /// Of the records of a batch, which is committed next, so many wait for services.
    case leftOpen(Int)
    /// So many of the records that waited have come to their answers.
    case settled(Int)
    /// All is read; so many records wait for services, which are asked once more, or for what their reader has decided.
    case takingUp(Int)
    /// What could be taken up stays as it is: answers to so many other records were dropped, and cannot be had again now.
    case heldBack(Int)
    /// Services that are set up by now and not asked: the job was begun without them, and goes on as it was begun.
    case leftOut([String])
    /// A store that another program has locked, and that is waited for.
    case locked(String)
    /// How a service stands that is waited for.
    case waiting(ServiceStatus)
}
