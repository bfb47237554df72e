//! A test may be known as unsteady for a week: then it is mended or deleted.

use std::time::{Duration, SystemTime};

const WEEK: Duration = Duration::from_hours(7 * 24);

/// Checks the lines of the list, `2026-11-27 checkout-e2e --test e2e journeys::a: why`; those that start with `#` explain it.
pub(super) fn check(list: &str) -> Vec<String> {
    #[expect(clippy::disallowed_methods, reason = "a rule with a date, outside of the product")]
    check_at(list, SystemTime::now())
}

fn check_at(list: &str, now: SystemTime) -> Vec<String> {
    let lines = list.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let fault = |(index, line): (usize, &str)| {
        let place = format!("{}:{}", crate::repeat::LIST, index + 1);
        let (date, rest) = line.split_once(' ')?;
        let Ok(since) = humantime::parse_rfc3339(&format!("{date}T00:00:00Z")) else {
            return Some(format!("{place}: no date such as 2026-11-27 at its start"));
        };
        if !rest.contains(": ") {
            return Some(format!("{place}: no reason after the test's name and `: `"));
        }
        let is_over = now.duration_since(since).is_ok_and(|age| age > WEEK);
        is_over.then(|| format!("{place}: unsteady for more than a week: mend or delete the test"))
    };
    lines.filter_map(fault).collect()
}

#[cfg(test)]
mod tests {
    use super::check_at;

    #[test]
    fn a_line_is_dated_and_lasts_a_week() {
        let now = humantime::parse_rfc3339("2026-11-27T12:00:00Z").expect("a time");
        for (list, expected) in [
            ("# why\n\n2026-11-27 checkout-e2e --test e2e a::b: waits for a port", ""),
            ("2026-11-21 checkout-e2e --test e2e a::b: waits for a port", ""),
            ("2026-11-19 checkout-e2e --test e2e a::b: waits for a port", "more than a week"),
            ("yesterday checkout-e2e --test e2e a::b: waits for a port", "no date"),
            ("2026-11-27 checkout-e2e --test e2e a::b", "no reason"),
        ] {
            let found = check_at(list, now).join("\n");
            assert!(found.contains(expected) && found.is_empty() == expected.is_empty(), "{list}: {found}");
        }
    }
}
