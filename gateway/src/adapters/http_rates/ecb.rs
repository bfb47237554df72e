//! The European Central Bank's reference rates: one euro in other fiat currencies, once on every working day.
//!
//! Form: <https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html>. The
//! rouble is missing since March 2022.

use std::time::Duration;

use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;

use super::feed::{self, Answer};

pub(super) const BASE: &str = "https://www.ecb.europa.eu";

/// The rates change once a day.
pub(super) const EVERY: Duration = Duration::from_hours(1);

/// Seconds from the beginning of the day of the rates. The longest pause is Easter, from Thursday to Tuesday afternoon.
const MAX_AGE: u64 = 6 * DAY;

const DAY: u64 = 24 * 60 * 60;

pub(super) fn path() -> String {
    "/stats/eurofxref/eurofxref-daily.xml".to_owned()
}

/// `now` is a UNIX second.
pub(super) fn read(body: &[u8], now: u64) -> Result<Answer, String> {
    let text = feed::utf8(body)?;
    if !text.trim_end().ends_with("Envelope>") {
        return Err("the answer is no whole list of rates".to_owned());
    }
    let euro = Asset::Fiat(Fiat::EUR);
    let (mut answer, mut day, mut seen) = (Answer::default(), None, Vec::new());
    for tag in text.split("<Cube").skip(1) {
        let tag = tag.split('>').next().unwrap_or_default();
        if let Some(time) = attribute(tag, "time")
            && day.replace(time).is_some()
        {
            return Err("the answer has the rates of several days".to_owned());
        }
        let Some(Ok(fiat)) = attribute(tag, "currency").map(str::parse::<Fiat>) else { continue };
        if seen.contains(&fiat) {
            return Err(format!("{} is there twice", fiat.code()));
        }
        seen.push(fiat);
        let rate = attribute(tag, "rate").ok_or_else(|| "has no rate".to_owned()).and_then(feed::positive);
        answer.add(fiat.code(), euro, Asset::Fiat(fiat), rate);
    }
    let day = day.ok_or("the answer is no list of rates: it has no day")?;
    let start = start_of(day).ok_or_else(|| format!("the day {day} cannot be read"))?;
    if now.saturating_sub(start) > MAX_AGE {
        return Err(format!("the rates are of {day}, and too old"));
    }
    answer.checked()
}

/// The value of `name='value'` in a tag. No value has a space.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let rest = tag.split_ascii_whitespace().find_map(|part| part.strip_prefix(name)?.strip_prefix('='))?;
    let quote = rest.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    rest[1..].split_once(quote).map(|(value, _)| value)
}

/// The UNIX second at which a day such as `2026-07-09` begins, in UTC. The day is counted in years from March, whose months
/// have 153 days in five.
fn start_of(day: &str) -> Option<u64> {
    let mut parts = day.splitn(3, '-').map(|part| part.parse::<u64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if !(1970..10_000).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let year = if month < 3 { year - 1 } else { year };
    let in_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = 365 * year + year / 4 - year / 100 + year / 400 + in_year;
    days.checked_sub(719_468)?.checked_mul(DAY)
}

#[cfg(test)]
mod tests {
    use super::super::feed::tests::expect;
    use super::*;

    /// The form of the file of 9 July 2026, with five of its currencies.
    const RECORDED: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<gesmes:Envelope xmlns:gesmes=\"http://www.gesmes.org/xml/2002-08-01\" xmlns=\"http://www.ecb.int/vocabulary/2002-08-01/eurofxref\">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>
		<Cube time='2026-07-09'>
			<Cube currency='USD' rate='1.1435'/>
			<Cube currency='JPY' rate='185.72'/>
			<Cube currency='HUF' rate='390.1'/>
			<Cube currency='CZK' rate='24.254'/></Cube>
	</Cube>
</gesmes:Envelope>";
    /// The afternoon of that day.
    const NOW: u64 = 1_783_612_800;

    #[test]
    fn recorded_answers() {
        let check = |from: &str, to: &str, now: u64, expected: Result<&str, &str>| {
            expect(&read(RECORDED.replace(from, to).as_bytes(), now), expected, to);
        };
        let all = "EUR USD 1.1435, EUR JPY 185.72, EUR CZK 24.254";
        check("", "", NOW, Ok(all));
        check("'", "\"", NOW, Ok(all));
        check("'JPY' ", "'JPY'\n\t", NOW, Ok(all));
        check("currency='JPY' rate='185.72'", "rate='185.72' currency='JPY'", NOW, Ok(all));
        check("'JPY'", "'XXX'", NOW, Ok("EUR USD 1.1435, EUR CZK 24.254"));
        check(" rate='185.72'", "", NOW, Ok("EUR USD 1.1435, EUR CZK 24.254, odd: JPY has no rate"));
        check("185.72", "0", NOW, Ok("EUR USD 1.1435, EUR CZK 24.254, odd: JPY is zero"));
        check(
            "185.72",
            "",
            NOW,
            Ok("EUR USD 1.1435, EUR CZK 24.254, odd: JPY cannot be read: the amount is empty"),
        );
        check("", "", NOW + 5 * DAY, Ok(all));
        check("", "", NOW + 6 * DAY, Err("the rates are of 2026-07-09, and too old"));
        check("'CZK'", "'USD'", NOW, Err("USD is there twice"));
        check("<Cube currency='HUF'", "<Cube time='2026-07-08'>", NOW, Err("several days"));
        check("2026-07-09", "yesterday", NOW, Err("the day yesterday cannot be read"));
        check(" time='2026-07-09'", "", NOW, Err("it has no day"));
        check("</gesmes:Envelope>", "", NOW, Err("no whole list"));
        expect(&read(b"<html>Maintenance</html>", NOW), Err("no whole list"), "maintenance");
    }

    #[test]
    fn days() {
        let check = |day: &str, expected: Option<u64>| assert_eq!(start_of(day), expected, "{day}");
        check("1970-01-01", Some(0));
        check("2000-02-29", Some(951_782_400));
        check("2000-03-01", Some(951_868_800));
        check("2026-07-09", Some(1_783_555_200));
        check("2026-12-31", Some(1_798_675_200));
        for wrong in
            ["", "2026-07", "2026-13-01", "2026-00-01", "26-07-09", "2026-07-32", "-1-2-3", "2026-07-09-1"]
        {
            check(wrong, None);
        }
    }
}
