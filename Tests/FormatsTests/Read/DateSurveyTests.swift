import System
import Testing

@testable import Books
@testable import Formats

@Suite struct DateSurveyTests {
    private static func survey(_ dates: String..., explicit: DateOrder? = nil) -> DateSurvey {
        var survey = DateSurvey(explicit: explicit)
        for date in dates {
            Array(date.utf8).withUnsafeBytes { survey.note($0, showsAge: true, until: nil) }
        }
        return survey
    }

    @Test func `one date determines the order, wherever it is`() {
        let survey = Self.survey("9/2/2020", "2021/10/16", "[10/16/2020]", "########", "3/4/2019")
        #expect(survey.order == .monthFirst)
        #expect(survey.evidence == "10/16/2020 can only be read this way.")
        #expect(survey.newest?.description == "2021-10-16")
        #expect(survey.doubt(in: "a.csv") == nil)
        #expect(Self.survey("9/2/2020", "16-10-2020 18:49").order == .dayFirst)
        #expect(Self.survey("9/2/2020", "16-10-2020 18:49").evidence?.hasPrefix("16-10-2020 can") == true)
    }

    @Test func `ambiguous dates leave the default order`() {
        for dates in [Self.survey(), Self.survey("2020/10/16", "16.10.2020", "10.16.2020", "2020")] {
            #expect(dates.order == .dayFirst)
            #expect(dates.evidence == nil)
            #expect(dates.doubt(in: "a.csv") == nil)
        }
        let open = Self.survey("5/5/2020", "31/2/2020", "2/30/2020", "9/2/2020")
        #expect(open.order == .dayFirst)
        #expect(open.evidence == "The default: no date shows the order; 9/2/2020 can be read both ways.")
        #expect(
            open.doubt(in: "a.csv")?.description.hasPrefix("`a.csv` has 1 ambiguous date: ")
                == true)
    }

    @Test func `contradicting dates leave the default order`() {
        let survey = Self.survey("10/16/2020", "9/2/2021", "16/10/2020")
        #expect(survey.order == .dayFirst)
        #expect(survey.newest?.description == "2021-02-09")
        #expect(
            survey.doubt(in: "a.csv")?.description.contains("16/10/2020 and 10/16/2020 show different orders")
                == true)
        #expect(Self.survey("10/16/2020", "16/10/2020").doubt(in: "a.csv") == nil)
    }

    @Test func `the warning names the options`() {
        let doubt = Self.survey("9/2/2020").doubt(in: "a.csv")?.text
        #expect(
            doubt?.refers(to: UserSetting.dates(.monthFirst)) == true
                && doubt?.refers(to: UserSetting.dates(.dayFirst)) == true
                && doubt?.refers(to: UserSetting.restart) == true)
    }

    @Test func `an explicit order overrides the dates and leaves no warning`() {
        for (explicit, newest) in [(DateOrder.dayFirst, "2021-02-09"), (.monthFirst, "2021-09-02")] {
            let silent = Self.survey("9/2/2021", "5/5/2020", explicit: explicit)
            #expect(silent.order == explicit)
            #expect(silent.evidence == "As specified.")
            #expect(silent.newest?.description == newest)
            #expect(silent.doubt(in: "a.csv") == nil)
            #expect(Self.survey(explicit: explicit).evidence == "As specified.")
            #expect(
                Self.survey("16/10/2020", "10/16/2020", "9/2/2021", explicit: explicit).doubt(in: "a.csv")
                    == nil)
        }
        let month = Self.survey("9/2/2021", "16/10/2020", explicit: .monthFirst)
        #expect(month.order == .monthFirst)
        #expect(month.newest?.description == "2021-09-02")
        #expect(
            month.evidence
                == "As specified, except for dates such as 16/10/2020, which can only be read as day first.")
        let day = Self.survey("9/2/2021", "10/16/2020", explicit: .dayFirst)
        #expect(day.order == .dayFirst)
        #expect(day.newest?.description == "2021-02-09")
        #expect(day.evidence?.hasSuffix("such as 10/16/2020, which can only be read as month first.") == true)
    }

    @Test func `a date in the future is reported and decides nothing`() throws {
        var survey = DateSurvey()
        for date in ["9/2/2026", "1/12/2026", "12/1/2026"] {
            Array(date.utf8).withUnsafeBytes {
                survey.note($0, showsAge: true, until: CalendarDate(year: 2026, month: 11, day: 23))
            }
        }
        #expect(survey.order == .dayFirst)
        let doubt = try #require(survey.doubt(in: "a.csv")).description
        #expect(doubt.hasPrefix("`a.csv` has 3 ambiguous dates: "))
        #expect(
            doubt.contains(": 1/12/2026 was read as 2026-12-01, a date in the future (day first). "))
    }

    @Test func `the known order of a file applies to a list made from it`() {
        func survey(_ known: DateOrder?, _ dates: String...) -> DateSurvey {
            var survey = DateSurvey(known: known)
            for date in dates {
                Array(date.utf8).withUnsafeBytes { survey.note($0, showsAge: false, until: nil) }
            }
            return survey
        }
        #expect(survey(.monthFirst, "9/2/2026").order == .monthFirst)
        #expect(!survey(.monthFirst, "9/2/2026").isDoubtful)
        #expect(!survey(.monthFirst, "9/2/2026", "10/16/2026").isDoubtful)
        #expect(survey(.monthFirst, "9/2/2026", "16/10/2026").isDoubtful)
        #expect(!survey(.monthFirst, "16/10/2026").isDoubtful)
        #expect(survey(nil, "9/2/2026").isDoubtful)
        #expect(survey(nil, "9/2/2026", "10/16/2026").order == .monthFirst)
        let doubt = survey(.dayFirst, "9/2/2026", "10/16/2026").doubt(inList: "m.csv", ofJob: "j")
        let expected: UserText = """
            `m.csv` has 1 ambiguous date. 10/16/2026 contradicts the dates of the imported file. Its row stays rejected. \
            Specify the order: \(UserCommand.importCorrected(job: "j", dates: .monthFirst)), or \(UserSetting.dates(.dayFirst)).
            """
        #expect(doubt?.text == expected)
    }
}
