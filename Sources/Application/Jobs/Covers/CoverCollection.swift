import Contract
import Glibc
import Queries
import Syntax
import System

/// The folder that covers are written to: a file for each edition, `covers.csv`, and the images by address in
/// `.images`, from which an interrupted run continues. Files with the same content are hard links to one. Only one
/// process at a time writes it.
final class CoverCollection: Sendable {
    private static let index = "covers.csv"
    private static let columns = [
        "file", "isbn", "title", "author", "edition", "width", "height", "bytes", "status", "from", "address",
    ]

    let path: String
    /// The images by address.
    let images: AnswerFolder
    /// The folder of the images, locked.
    private let descriptor: Int32

    /// Makes the folder, or checks that it is one of covers: files of the same names would be replaced. Removes the
    /// leftovers of a killed process.
    ///
    /// - Throws: `.usage` if it has other files, `.cannotCreate` if it cannot be made, `.temporary` if another process
    ///   writes it.
    init(path: String) throws(ETLError) {
        self.path = path
        images = AnswerFolder(path: path + "/.images", advice: "Name a folder that you can write to.")
        guard Folder.names(in: path)?.isEmpty ?? true || FileSystem.access(images.path, F_OK) == 0 else {
            throw ETLError(
                .usage, "`\(path)` has files that are not covers that `etl` has fetched.",
                advice: "Name a new folder, or an empty one.")
        }
        var code = Folder.make(images.path, mode: 0o777)
        descriptor = FileSystem.open(images.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if code == 0, descriptor < 0 { code = errno }
        guard code == 0 else {
            throw ETLError(
                .cannotCreate, "The folder `\(path)` cannot be created: \(String(cString: strerror(code))).",
                advice: "Name a folder that you can write to.")
        }
        // If the file system has no locks, other processes are not noticed.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            throw ETLError(
                .temporary, "Another process is fetching covers into `\(path)`.",
                advice: "Wait until it has ended, or name another folder.")
        }
        for folder in [path, images.path] { PartFile.removeAbandoned(in: folder) }
    }

    // Runs also if the initializer throws after the descriptor is set.
    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Writes the files of the editions and their list.
    func write(_ search: CoverSearch, _ targets: CoverTargets) throws(ETLError) -> CoverCounts {
        var search = search
        var summary = CoverCounts()
        var firsts: [CoverSearch.Digest: String] = [:]
        var list = CSVWriter()
        list.record(Self.columns)
        for number in 0..<search.count {
            guard let target = try targets.target(search[number].edition) else { continue }
            summary.editions += 1
            var cells = ["", target.isbn.map(String.init) ?? "", target.title, target.author, target.key]
            if let (found, unanswered) = search.best(number, among: target.offers),
                let image = image(at: target.offers[found.place].address)
            {
                let (digest, offer) = (found.digest, target.offers[found.place])
                let name = "\(target.name).\(image.type.fileExtension)"
                if firsts[digest] == nil { summary.bytes += image.bytes.count }
                try place(
                    images.file(of: offer.address), as: name, replacing: target.name, sharing: &firsts[digest]
                )
                cells[0] = name
                summary.saved += 1
                if unanswered != nil { summary.provisional += 1 }
                cells += [image.size.width, image.size.height, image.bytes.count].map(String.init)
                cells += [unanswered.map { "provisional: \($0.name)" } ?? "saved"]
                cells += [offer.isOfWork ? "work" : "edition", offer.address]
                list.record(cells)
                continue
            }
            switch search[number].state {
            case .open, .found:
                summary.unanswered += 1
                cells += ["", "", "", "not answered: \(LookupOutcome.stopped.name)", "", ""]
            case .unanswered(let outcome):
                summary.unanswered += 1
                cells += ["", "", "", "not answered: \(outcome.name)", "", ""]
            case .withoutAddress:
                summary.withoutAddress += 1
                remove(target.name)
                cells += ["", "", "", "no cover known", "", ""]
            case .withoutImage:
                summary.withoutImage += 1
                remove(target.name)
                cells += ["", "", "", "no image", "", ""]
            case .placeholder:
                summary.placeholders += 1
                remove(target.name)
                cells += ["", "", "", "placeholder", "", ""]
            }
            list.record(cells)
        }
        summary.images = firsts.count
        let code = PartFile.replace(path + "/" + Self.index, with: list.bytes)
        guard code == 0 else { throw failure(Self.index, code) }
        return summary
    }

    private func image(at address: String) -> CoverImage? {
        (try? ReadableFile.contents(of: images.file(of: address))).flatMap { CoverImage($0) }
    }

    /// Gives an image the name of its edition.
    ///
    /// - Parameters:
    ///   - name: The name without its end: earlier files of the edition are replaced.
    ///   - first: The file that has the same content already, if any.
    private func place(
        _ image: String, as file: String, replacing name: String, sharing first: inout String?
    ) throws(ETLError) {
        // The content is on disk once: the file by address becomes another name of it too.
        if let first, first != image { try link(first, as: image) }
        first = first ?? image
        try link(image, as: path + "/" + file)
        remove(name, except: file)
    }

    /// Removes the cover that an earlier run chose for an edition.
    private func remove(_ name: String, except file: String? = nil) {
        for other in CoverName.endings.map({ "\(name).\($0)" }) where other != file {
            FileSystem.unlink("\(path)/\(other)")
        }
    }

    /// Makes a name a link to a file, or a copy where the file system has no links.
    private func link(_ file: String, as name: String) throws(ETLError) {
        var (own, other) = (stat(), stat())
        if FileSystem.stat(file, &own) == 0, FileSystem.stat(name, &other) == 0, own.st_dev == other.st_dev,
            own.st_ino == other.st_ino
        {
            return
        }
        let part = PartFile.name(besides: name)
        // rename(2) does nothing if both names are links to one file already.
        defer { FileSystem.unlink(part) }
        if FileSystem.link(file, part) == 0 {
            guard FileSystem.rename(part, name) == 0 else { throw failure(name, errno) }
            return
        }
        guard let bytes = try? ReadableFile.contents(of: file) else { throw failure(name, EIO) }
        let code = PartFile.replace(name, with: bytes)
        guard code == 0 else { throw failure(name, code) }
    }

    /// - Parameter code: The system's error number.
    private func failure(_ name: String, _ code: Int32) -> ETLError {
        ETLError(
            .inputOutput, "`\(name)` cannot be written: \(String(cString: strerror(code))).",
            advice: "Make space or fix permissions, then run the command again.")
    }
}
