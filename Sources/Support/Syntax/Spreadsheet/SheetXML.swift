import System

/// Reading the XML of spreadsheet documents, which are refused if they have a document type.
enum SheetXML {
    /// Maximum number of rows of a sheet: those of Excel and LibreOffice.
    static let maxRows = 1_048_576

    static func reader(
        of name: String, in archive: ZipArchive, _ place: String
    ) throws(ETLError) -> XMLReader {
        guard let entry = archive.entry(named: name) else { throw damaged(place, "it has no \(name)") }
        let source = try archive.bytes(of: entry, limit: .sheet)
        do throws(XMLFault) {
            return try XMLReader(streaming: source)
        } catch {
            throw damaged(place, error.message)
        }
    }

    /// The next node; nil at the end.
    static func next(_ reader: borrowing XMLReader, _ place: String) throws(ETLError) -> XMLReader.Node? {
        do throws(XMLFault) {
            let node = try reader.next()
            if case .other = node, reader.isDocumentType {
                throw XMLFault("it has a document type", line: reader.line)
            }
            if case .entity = node { throw XMLFault("it uses an unknown entity", line: reader.line) }
            return node
        } catch {
            // The archive's error says more than the parser's.
            throw reader.sourceFailure ?? damaged(place, error.message)
        }
    }

    /// The text up to the end of the element that has just begun.
    static func text(of reader: borrowing XMLReader, _ place: String) throws(ETLError) -> [UInt8] {
        var text: [UInt8] = []
        while let node = try next(reader, place) {
            switch node {
            case .text: if text.count < SheetRow.maxBytes { reader.withText { text.append(contentsOf: $0) } }
            case .end: return text
            default: break
            }
        }
        return text
    }

    /// Passes each element of a part of the document.
    static func forEach(
        in name: String, of archive: ZipArchive, _ body: (borrowing XMLReader) -> Void
    ) throws(ETLError) {
        let reader = try reader(of: name, in: archive, archive.path)
        while let node = try next(reader, archive.path) { if node == .start { body(reader) } }
    }

    static func tooManyRows(_ place: String) -> ETLError {
        ETLError(
            .tooLarge,
            "`\(place)` has more than \(maxRows) rows, which is the limit; import it in smaller parts.",
            advice: "Delete its empty rows, or save the sheet as CSV in UTF-8.")
    }

    static func damaged(_ place: String, _ reason: String) -> ETLError {
        let bare = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
        return ETLError(
            .unusableInput, "`\(place)` cannot be read as a spreadsheet: \(bare).",
            advice: "Save it again, or save the sheet as CSV in UTF-8.")
    }
}
