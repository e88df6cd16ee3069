import Books
import Bytes
import Syntax
import System

/// Compares a file with the format that the user named, and with those that a pipeline is made for.
struct FormatCheck {
    let input: InputFile
    /// Index among the files of the run.
    let index: Int
    let settings: ReadSettings
    let stop: StopSignal?

    /// Records of a structured format that are tried if nothing else shows that the file has it.
    private static let recordsTried = 10

    /// The named format; nil to detect the file's format, or if an earlier check has confirmed it.
    private var wanted: (any LibraryFormat)? {
        guard settings.mapping == nil, settings.surveyed(fileAt: index) == nil, let name = settings.format,
            name != LibraryFormats.automatic
        else { return nil }
        return try? LibraryFormats.named(name)
    }

    /// What to report if the file cannot be read in the named format: that it has another one, if it has.
    func failure(for failure: ETLError) -> ETLError {
        guard failure.kind == .unusableInput, let wanted, let detected, detected.name != wanted.name else {
            return failure
        }
        return mismatch(wanted, detected)
    }

    /// Refuses a file in another format.
    ///
    /// - Parameter file: The file as the settings read it.
    func check(_ file: LibraryFile) throws(ETLError) {
        guard let wanted else { return try checkExpected(file) }
        switch file.syntax {
        case .structured(let format, _):
            guard format.name == wanted.name, try format.evidence(in: input.head()) == nil else { return }
            if let detected { throw mismatch(wanted, detected) }
            guard try hasRecord(file) else { throw mismatch(wanted, nil) }
        case .text:
            if wanted is any StructuredFormat { throw mismatch(wanted, detected) }
            guard !(wanted is Generic), !(wanted is any HeaderlessFormat),
                wanted.score(file.header) < LibraryFormats.threshold, let detected, !(detected is Generic)
            else { return }
            throw mismatch(wanted, detected)
        }
    }

    private func checkExpected(_ file: LibraryFile) throws(ETLError) {
        let expected = settings.expectedFormats
        let isDetected = (settings.format ?? LibraryFormats.automatic) == LibraryFormats.automatic
        guard !expected.isEmpty, isDetected, settings.mapping == nil, !expected.contains(file.format.name)
        else { return }
        throw ETLError(
            .unusableInput,
            """
            `\(input.path)` looks like the format `\(file.format.name)`, but the pipeline is made for \
            \(expected.map { "`\($0)`" }.joined(separator: ", ")).
            """,
            advice:
                "Use a pipeline for that format. If the file is the right one, name its format with \(UserSetting.format)."
        )
    }

    /// The format that is detected when the user names none; nil if none is recognized.
    private var detected: (any LibraryFormat)? {
        var plain = settings
        plain.format = nil
        plain.expectedFormats = []
        return try? LibraryFile(input, index: index, settings: plain, stop: stop).format
    }

    /// Whether one of the first records can be read.
    private func hasRecord(_ file: LibraryFile) throws(ETLError) -> Bool {
        var stream = try file.records()
        var (arena, cells, records) = (Arena(), [Text](), [Record]())
        while records.count < Self.recordsTried,
            try stream.fill(
                arena: &arena, cells: &cells, records: &records, maxRecords: Self.recordsTried,
                maxBytes: InputFile.headBytes)
        {}
        return records.contains { $0.flags.isDisjoint(with: .withoutCells) }
    }

    private func mismatch(_ wanted: any LibraryFormat, _ detected: (any LibraryFormat)?) -> ETLError {
        let likeness = detected.map { format in
            format is Generic
                ? " It looks like a table of no known program (`\(format.name)`)."
                : " It looks like the format `\(format.name)`."
        }
        return ETLError(
            .unusableInput, "`\(input.path)` is not in the format `\(wanted.name)`.\(likeness ?? "")",
            advice:
                "Leave out \(UserSetting.format), or check the file with \(UserCommand.inspect(file: input.path))."
        )
    }
}
