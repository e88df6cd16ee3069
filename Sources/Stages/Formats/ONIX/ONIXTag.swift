/// Names of ONIX elements. Reference names and short tags of 2.1 and 3.0 map to one spelling (EDItEUR, ONIX
/// for Books, tag names).
enum ONIXTag {
    /// An element's reference name in lower case: `productidtype` for `ProductIDType` and for `b221`.
    ///
    /// Composites have the same name in both forms, except for capitals. Short tags of data elements are a
    /// letter and three digits.
    static func reference(_ name: String) -> String {
        short[name] ?? name.lowercased()
    }

    private static let short: [String: String] = [
        "a001": "recordreference", "a002": "notificationtype",
        "b221": "productidtype", "b244": "idvalue", "b004": "isbn", "b005": "ean13",
        "b012": "productform", "b333": "productformdetail",
        "b202": "titletype", "b203": "titletext", "x478": "titlestatement", "x501": "noprefix",
        "b030": "titleprefix", "b031": "titlewithoutprefix",
        "b029": "subtitle", "b028": "distinctivetitle", "x409": "titleelementlevel", "x410": "partnumber",
        "b018": "titleofseries", "b019": "numberwithinseries", "b023": "titleofset",
        "x481": "collectionsequencenumber",
        "b034": "sequencenumber", "b035": "contributorrole", "b036": "personname",
        "b037": "personnameinverted",
        "b038": "titlesbeforenames", "b039": "namesbeforekey", "b040": "keynames", "b041": "namesafterkey",
        "b047": "corporatename", "b247": "prefixtokey", "b248": "suffixtokey", "b249": "unnamedpersons",
        "x443": "corporatenameinverted",
        "b253": "languagerole", "b252": "languagecode", "b059": "languageoftext",
        "b061": "numberofpages", "b218": "extenttype", "b219": "extentvalue",
        "b067": "subjectschemeidentifier", "b069": "subjectcode", "b070": "subjectheadingtext",
        "b191": "mainsubjectschemeidentifier", "b064": "basicmainsubject", "b065": "bicmainsubject",
        "b058": "editionstatement",
        "b081": "publishername", "b291": "publishingrole", "b079": "imprintname",
        "b003": "publicationdate", "b088": "yearfirstpublished", "x448": "publishingdaterole", "b306": "date",
        "d102": "texttypecode", "x426": "texttype", "d104": "text",
    ]
}
