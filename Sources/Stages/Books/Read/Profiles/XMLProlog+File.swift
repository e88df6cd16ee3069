import Pipeline
import Syntax

/// XML files as formats open them.
extension XMLProlog {
    /// Looks at a file's head.
    ///
    /// - Throws: `unusableInput` for a document that is no XML, has a document type with declarations of its own, or is in an
    ///   encoding that is not read.
    init(of file: InputFile) throws(StageFailure) {
        guard var prolog = XMLProlog(head: try file.head()) else {
            throw StageFailure(
                .unusableInput, "\(file.path) is no XML document.", advice: "Export the library again.")
        }
        guard !prolog.hasOwnDeclarations else {
            throw StageFailure(
                .unusableInput,
                "\(file.path) has a document type with declarations of its own; such XML is not read.",
                advice: "Remove what stands in brackets in its document type, or export the library again.")
        }
        guard prolog.encoding != nil else {
            throw StageFailure(
                .unusableInput, "\(file.path) is XML in \(prolog.encodingName), which is not read.",
                advice: "Save it as UTF-8.")
        }
        prolog.path = file.path
        self = prolog
    }
}
