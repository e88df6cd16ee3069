extension JSONRecordKeys {
    /// A record of MARC in JSON.
    package static let marc = JSONRecordKeys(
        [Key("leader", .text), Key("fields", .objects)], holdRecords: true)
}
