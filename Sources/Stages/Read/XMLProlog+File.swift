import Pipeline

/// XML files as formats open them.
extension XMLProlog {
    /// Looks at a file's head.
    ///
    /// - Throws: `unusableInput` for a document that is no XML, declares entities, or is in an encoding that is not
    ///   read.
    init(of file: InputFile) throws(StageFailure) {
        guard let prolog = XMLProlog(head: try file.head()) else {
            throw StageFailure(
                .unusableInput, "\(file.path) is no XML document.", advice: "Export the library again.")
        }
        guard !prolog.declaresEntities else {
            throw StageFailure(
                .unusableInput, "\(file.path) declares entities of its own; such XML is not read.",
                advice: "Remove the entities from its document type, or export the library again.")
        }
        guard prolog.encoding != nil else {
            throw StageFailure(
                .unusableInput, "\(file.path) is XML in \(prolog.encodingName), which is not read.",
                advice: "Save it as UTF-8.")
        }
        self = prolog
    }
}
