import Bytes
import Database

extension RowValues where Self: ~Copyable {
    /// A blob that lies in a buffer, which stays where it is until the row is written; no bytes are NULL.
    mutating func add(_ text: Text, in buffer: UnsafeRawBufferPointer) {
        add(blob: UnsafeRawBufferPointer(rebasing: buffer[text.range]))
    }
}
