import Foundation

/// Files of the project, found from this source file upwards.
public enum ProjectFiles {
    /// The folder of Package.swift.
    public static let root: String = {
        var folder = URL(fileURLWithPath: #filePath)
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            if FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) {
                break
            }
        }
        return folder.path
    }()

    /// A file of the sample library.
    public static func sample(_ name: String) -> String { "\(root)/Pipelines/sample/\(name)" }

    /// The sample's catalog sources.
    public static let catalogSources = [
        "ol_dump_editions.txt", "ol_dump_works.txt", "ol_dump_authors.txt", "wikidata_humans.json",
    ].map { sample("catalog/\($0)") }

    /// The tool that was built beside the running tests.
    public static let tool: String = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (tests as NSString).deletingLastPathComponent + "/etl"
    }()
}
