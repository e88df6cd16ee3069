import Foundation
import Pipeline

@testable import Syntax

/// Real CSV files, read in place. They are not part of the repository: tests that need them are skipped
/// without them.
enum CSVCorpus {
    static let folder: URL = {
        var folder = URL(filePath: #filePath)
        while folder.path != "/",
            !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path)
        {
            folder.deleteLastPathComponent()
        }
        return folder.appending(path: "../shared/data").standardizedFileURL
    }()

    static let isPresent = FileManager.default.fileExists(atPath: folder.appending(path: "csvcorpus").path)
    static let absence = "The folder with real files is not next to the repository."

    /// All CSV and TSV files of a folder and its subfolders, by their path within the corpus.
    static func files(in part: String) -> [String] {
        let base = folder.appending(path: part)
        let paths = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
        return paths.filter {
            [".csv", ".tsv", ".psv"].contains("." + ($0.split(separator: ".").last ?? ""))
        }
        .sorted().map { part + "/" + $0 }
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: path)))
    }
}

extension RecordReader {
    /// The number of records that are not blank, including the header and records over a limit.
    static func count(
        file path: String, dialect: Dialect, encoding: TextEncoding
    ) throws(StageFailure) -> Int {
        var reader = try RecordReader(file: path, dialect: dialect, encoding: encoding)
        return try reader.countRest()
    }

    /// Reads to the end of the input and counts the records that are not blank, as a survey does.
    mutating func countRest() throws(StageFailure) -> Int {
        var passed = SkippedRecords()
        while try passOn(counting: &passed, visiting: { _, _ in }) {}
        return passed.count
    }
}
