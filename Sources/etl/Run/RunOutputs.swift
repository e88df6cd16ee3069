/// What is told of runs beside the terminal. A command that goes on with several jobs opens it once and lends it to each
/// of their sessions: opened anew, a file would hold the last job alone.
struct RunOutputs: Sendable {
    let events: EventStream?
    let metrics: Metrics?
}
