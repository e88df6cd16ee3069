import Bytes
import Database

/// What an entry is found by: where its key is or would be, and the text that the key is made of.
struct EntryKey {
    let key: TextKey
    let place: KeyIndex.Place
    /// The source's own id, or what stands in for it.
    let sourceID: UnsafeRawBufferPointer
}
