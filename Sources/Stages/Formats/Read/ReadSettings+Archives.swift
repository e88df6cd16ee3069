import Books
import Syntax
package import System

/// Expands archives and workbooks to their parts that are libraries.
extension ReadSettings {
    /// Replaces each archive, and each workbook with several sheets, by its parts that can be imported. The other
    /// parts are named in ``ReadSettings/setAside``.
    ///
    /// - Parameter stop: If it is raised, nothing more is read.
    /// - Throws: Errors of opening a file; `unusableInput` if no part of an archive can be imported, `tooLarge` if
    ///   its parts expand to more than is allowed, `temporary` if the run is to stop.
    package mutating func expandArchives(stop: StopSignal? = nil) throws(ETLError) {
        var expanded: [String] = []
        for path in files {
            guard let names = try parts(of: path, stop: stop) else {
                expanded.append(path)
                continue
            }
            var others: [(name: String, failure: ETLError)] = []
            // Finding out what a part is can expand all of it.
            var examined = self
            let before = expanded.count
            if expansionLimit != nil, names.count > ExpansionLimit.mostParts {
                throw Self.tooManyParts(names.count, in: path)
            }
            for name in names {
                try stop?.check(reading: path)
                do throws(ETLError) {
                    let part = try InputFile("\(path)/\(name)", limit: examined.expansionLimit, stop: stop)
                    // Whether it turns out to be a library or not.
                    defer { examined.expansionLimit?.spend(part.expandedBytes) }
                    _ = try LibraryFile(part, index: 0, settings: examined, stop: stop)
                    expanded.append("\(path)/\(name)")
                } catch  where error.kind == .unusableInput {
                    others.append((name, error))
                }
            }
            if expanded.count == before { throw Self.noLibrary(in: path, others) }
            if !others.isEmpty { setAside.append(Self.unused(others, of: path)) }
        }
        files = expanded
    }

    /// The parts of a file that may be libraries, in its order; nil if it has none.
    private func parts(of path: String, stop: StopSignal?) throws(ETLError) -> [String]? {
        // Of files that cannot be opened, the survey says why.
        guard ArchivePath(path) == nil, let input = try? InputFile(path, limit: expansionLimit, stop: stop)
        else { return nil }
        switch input.content {
        case .sheet(let workbook, _): return workbook.sheets.count > 1 ? workbook.sheets.map(\.name) : nil
        case .archive:
            return try ZipArchive(path).entries.map(\.name).filter { name in
                // Files that macOS adds about the others.
                !name.hasPrefix("__MACOSX/") && !name.hasSuffix(".DS_Store")
            }
        case .plain, .compressed, .archived: return nil
        }
    }

    private static func tooManyParts(_ count: Int, in path: String) -> ETLError {
        ETLError(
            .tooLarge,
            "`\(path)` contains \(count) files, which is more than the limit of \(ExpansionLimit.mostParts); import the export that is in it.",
            advice: "Extract it, and use the export inside it.")
    }

    private static func noLibrary(
        in path: String, _ others: [(name: String, failure: ETLError)]
    ) -> ETLError {
        // With a single part the reason is the part's.
        if others.count == 1, let only = others.first { return only.failure }
        guard !others.isEmpty else {
            return ETLError(
                .unusableInput, "`\(path)` contains no files.", advice: "Create or download it again.")
        }
        return ETLError(
            .unusableInput,
            "Nothing in `\(path)` can be imported: it contains \(shown(others.map(\.name))). \(others[0].failure.message)",
            advice: "To see more, run \(UserCommand.inspect(file: "\(path)/\(others[0].name)")).")
    }

    private static func unused(_ parts: [(name: String, failure: ETLError)], of path: String)
        -> UserWarning
    {
        UserWarning(
            "`\(path)` also contains \(shown(parts.map(\.name))), which \(parts.count == 1 ? "is" : "are") not imported. \(parts[0].failure.message)",
            advice: "To see more, run \(UserCommand.inspect(file: "\(path)/\(parts[0].name)")).")
    }

    private static func shown(_ names: [String]) -> String {
        let shown = names.prefix(5).map { "`\($0)`" }.joined(separator: ", ")
        return names.count > 5 ? "\(shown) and \(names.count - 5) more" : shown
    }
}
