import Contract

/// The answers to forms that are not taken.
enum FormReply {
    /// - Parameter limit: Maximum size of an upload in bytes.
    static func failure(_ refusal: FormReceiver.Refusal, limit: Int, now: Int64) -> Response {
        switch refusal {
        case .form(let failure):
            Reply.failure(.invalidRequest("body", value: "", reason: failure.rawValue), now: now)
        case .fieldTooLong(let name):
            Reply.failure(.invalidRequest(name, value: "", reason: "The field is too long."), now: now)
        case .upload(.tooLarge): Reply.failure(.payloadTooLarge(limitBytes: limit), now: now)
        case .upload(.full):
            Reply.failure(
                .overloaded("The server holds as many uploads as it may.", retryAfterSeconds: 60),
                status: 503,
                now: now)
        case .upload(.fullOfUser(let share)):
            Reply.failure(
                .rateLimited(
                    retryAfterSeconds: 60, limit: share, window: "at a time",
                    "Your uploads take as much room as they may. Try again when some of them are imported."),
                now: now)
        case .upload(.system):
            Reply.failure(
                .overloaded("The upload cannot be stored.", retryAfterSeconds: 60), status: 503, now: now)
        case .busy(let refusal): Reply.failure(refusal, now: now)
        }
    }
}
