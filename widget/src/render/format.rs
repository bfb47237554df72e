//! Formats money and times as `Intl` does in English. Times are in UTC: the server does not know the payer's time zone.

use crate::present::Format;

pub(super) struct Server;

impl Format for Server {
    fn money(&self, amount: &str, currency: &str) -> String {
        let (whole, fraction) = amount.split_once('.').map_or((amount, None), |(a, b)| (a, Some(b)));
        let mut text = match symbol(currency) {
            Some(symbol) => symbol.to_owned(),
            None => [currency, "\u{a0}"].concat(),
        };
        for (i, digit) in whole.char_indices() {
            if i > 0 && (whole.len() - i).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        if let Some(fraction) = fraction {
            text.push('.');
            text.push_str(fraction);
        }
        text
    }

    fn time(&self, unix_seconds: u64) -> String {
        let (days, seconds) = (unix_seconds / 86_400, unix_seconds % 86_400);
        let (year, month, day) = civil(days);
        let (hour, minute) = (seconds / 3_600, seconds / 60 % 60);
        let (half, hour) = (if hour < 12 { "AM" } else { "PM" }, (hour + 11) % 12 + 1);
        format!("{} {day}, {year}, {hour}:{minute:02} {half} UTC", MONTHS[month])
    }
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

fn symbol(currency: &str) -> Option<&'static str> {
    Some(match currency {
        "EUR" => "€",
        "USD" => "$",
        "GBP" => "£",
        "JPY" => "¥",
        _ => return None,
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money() {
        let check = |amount, currency, expected: &str| assert_eq!(Server.money(amount, currency), expected);
        check("25.00", "EUR", "€25.00");
        check("1234567.80", "USD", "$1,234,567.80");
        check("999", "JPY", "¥999");
        check("1000", "JPY", "¥1,000");
        check("0.50", "PLN", "PLN\u{a0}0.50");
    }

    #[test]
    fn times() {
        let check = |seconds, expected: &str| assert_eq!(Server.time(seconds), expected);
        check(0, "Jan 1, 1970, 12:00 AM UTC");
        check(951_827_696, "Feb 29, 2000, 12:34 PM UTC");
        check(1_790_000_000, "Sep 21, 2026, 2:13 PM UTC");
        check(1_798_761_599, "Dec 31, 2026, 11:59 PM UTC");
    }
}
