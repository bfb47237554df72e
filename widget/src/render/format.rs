//! Formats money and times as `Intl` does, by the patterns of each language. Times are in UTC: the server does not know
//! the payer's time zone.

use checkout_wire::fiat::FIAT_CURRENCIES;

use crate::present::{Figure, Format};
use crate::words::{PluralForm, Translation, fill};

impl Format for Translation {
    fn money(&self, amount: &str, currency: &str) -> String {
        let money = &self.money;
        let (whole, fraction) = amount.split_once('.').unwrap_or((amount, ""));
        let digits = FIAT_CURRENCIES.iter().find(|row| row.0 == currency).map(|row| usize::from(row.1));
        let fraction = format!("{fraction:0<width$}", width = digits.unwrap_or(0));
        let number = [whole, ".", &fraction].concat();
        let number = Figure::Read(&self.words).show(number.trim_end_matches('.'));
        let sign = money.signs.iter().find(|(code, _)| *code == currency).map(|(_, sign)| *sign);
        match (money.currency_first, sign) {
            (true, Some(sign)) => [sign, &number].concat(),
            (true, None) => [currency, "\u{a0}", &number].concat(),
            (false, sign) => [&number, "\u{a0}", sign.unwrap_or(currency)].concat(),
        }
    }

    fn time(&self, unix_seconds: u64) -> String {
        time(self.dates.pattern, self.dates.months, unix_seconds)
    }

    fn until(&self, unix_seconds: u64, now: u64) -> String {
        let pattern = self.dates.pattern;
        let clock = pattern.find("{hour").filter(|_| unix_seconds / 86_400 == now / 86_400).unwrap_or(0);
        time(&pattern[clock..], self.dates.months, unix_seconds)
    }

    fn plural(&self, count: u64) -> PluralForm {
        (self.plural)(count)
    }
}

fn time(pattern: &str, months: &[&str], unix_seconds: u64) -> String {
    let (days, seconds) = (unix_seconds / 86_400, unix_seconds % 86_400);
    let (year, month, day) = civil(days);
    let (hour, minute) = (seconds / 3_600, seconds / 60 % 60);
    let two = |number: u64| format!("{number:02}");
    let facts = [
        ("day", &*day.to_string()),
        ("day2", &two(day)),
        ("month", months.get(month).copied().unwrap_or_default()),
        ("month2", &two(month as u64 + 1)),
        ("year", &year.to_string()),
        ("hour", &hour.to_string()),
        ("hour2", &two(hour)),
        ("hour12", &((hour + 11) % 12 + 1).to_string()),
        ("half", if hour < 12 { "AM" } else { "PM" }),
        ("minute2", &two(minute)),
    ];
    [&fill(pattern, &facts), " UTC"].concat()
}

/// The year, month (from 0) and day (from 1) of a number of days since 1 January 1970, in the Gregorian calendar.
fn civil(days: u64) -> (u64, usize, u64) {
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut year, mut rest) = (1970, days);
    while rest >= 365 + u64::from(leap(year)) {
        rest -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while rest >= lengths[month] {
        rest -= lengths[month];
        month += 1;
    }
    (year, month, rest + 1)
}
