import Foundation

/// Real files beside the project, where there are any.
enum SharedISBNData {
    static let folder: URL? = {
        var folder = URL(fileURLWithPath: #filePath)
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            guard FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) else {
                continue
            }
            let data = folder.deletingLastPathComponent().appending(path: "shared/data")
            return FileManager.default.fileExists(atPath: data.path) ? data : nil
        }
        return nil
    }()

    static func has(_ path: String) -> Bool {
        folder.map { FileManager.default.fileExists(atPath: $0.appending(path: path).path) } ?? false
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        guard let folder else { return [] }
        return try Array(Data(contentsOf: folder.appending(path: path)))
    }

    static func lines(_ path: String) throws -> [Substring] {
        try String(decoding: bytes(path), as: UTF8.self).split(whereSeparator: \.isNewline)
    }
}
