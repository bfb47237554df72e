//! Tables beside the code that name what is in it: alerts and metrics, threats and tests, unsteady tests and days.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};

use super::source::{ALERTS, Source, THREATS};
use crate::repeat;

const WEEK: Duration = Duration::from_hours(7 * 24);

pub(super) fn check(sources: &[Source]) -> Vec<String> {
    let text =
        |path: &str| sources.iter().find(|source| source.path == path).map_or("", |source| &source.text);
    let metrics = sources.iter().filter(|source| source.path.starts_with("gateway/src/"));
    let mut found = alerts(&metrics.flat_map(|source| source.text.split('"')).collect(), text(ALERTS));
    found.extend(threats(sources, text(THREATS)));
    #[expect(clippy::disallowed_methods, reason = "a rule with a date, outside of the product")]
    found.extend(unsteady(text(repeat::LIST), SystemTime::now()));
    found
}

/// Every metric of the gateway, which is a text in its code, has an alert, and every alert a metric.
fn alerts(texts: &BTreeSet<&str>, alerts: &str) -> Vec<String> {
    let is_name = |text: &&str| {
        let rest = text.strip_prefix("checkout_").unwrap_or_default();
        !rest.is_empty() && rest.bytes().all(|letter| letter.is_ascii_lowercase() || letter == b'_')
    };
    let metrics: BTreeSet<&str> = texts.iter().copied().filter(is_name).collect();
    let words = alerts.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').filter(is_name);
    let watched: BTreeSet<&str> = words.map(|word| word.strip_suffix("_bucket").unwrap_or(word)).collect();
    let missing = metrics.difference(&watched).map(|name| format!("{ALERTS}:1: no alert reads {name}"));
    let unknown =
        watched.difference(&metrics).map(|name| format!("{ALERTS}:1: the gateway has no metric {name}"));
    missing.chain(unknown).collect()
}

/// Every threat of a table whose last column is `test` names tests that exist.
fn threats(sources: &[Source], text: &str) -> Vec<String> {
    let lines = sources.iter().flat_map(|source| &source.code.lines);
    let functions: BTreeSet<&str> = lines
        .flat_map(|(_, line)| line.split("fn ").skip(1))
        .filter_map(|rest| rest.split(' ').next())
        .collect();
    let (mut found, mut is_tested) = (Vec::new(), false);
    for (number, line) in (1..).zip(text.lines()) {
        let Some(inner) = line.strip_prefix('|').and_then(|line| line.strip_suffix('|')) else { continue };
        let cells: Vec<&str> = inner.split('|').map(str::trim).collect();
        let last = cells[cells.len() - 1];
        if ["who", "threat"].contains(&cells[0]) {
            is_tested = last == "test";
        } else if is_tested && !last.starts_with("---") {
            let names: Vec<&str> = last.split('`').skip(1).step_by(2).collect();
            if names.is_empty() {
                found.push(format!("{THREATS}:{number}: names no test"));
            }
            let missing = names.into_iter().filter(|name| !functions.contains(name));
            found.extend(missing.map(|name| format!("{THREATS}:{number}: there is no test {name}")));
        }
    }
    found
}

/// A test may be known as unsteady for a week: then it is mended or deleted. A line is `2026-11-27 checkout-e2e --test e2e
/// journeys::a: why`; those that start with `#` explain the list.
fn unsteady(list: &str, now: SystemTime) -> Vec<String> {
    let lines = (1..).zip(list.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let fault = |(number, line): (usize, &str)| {
        let (date, rest) = line.split_once(' ').unwrap_or((line, ""));
        let since = humantime::parse_rfc3339(&format!("{date}T00:00:00Z"));
        let is_over = |since| now.duration_since(since).is_ok_and(|age| age > WEEK);
        let fault = match since {
            Err(_) => "no date such as 2026-11-27 at its start",
            Ok(_) if !rest.contains(": ") => "no reason after the test's name and `: `",
            Ok(since) if is_over(since) => "unsteady for more than a week: mend or delete the test",
            Ok(_) => return None,
        };
        Some(format!("{}:{number}: {fault}", repeat::LIST))
    };
    lines.filter_map(fault).collect()
}

#[cfg(test)]
mod tests {
    use super::super::expect;
    use super::{Source, alerts, threats, unsteady};

    #[test]
    fn metrics_and_alerts_name_each_other() {
        for (metrics, rules, expected) in [
            (&["checkout_a", "Help."][..], "expr: checkout_a > 0", ""),
            (&["checkout_a"], "rate(checkout_a_bucket[5m])", ""),
            (&["checkout_a"], "", "packaging/alerts.yml:1: no alert reads checkout_a"),
            (&[], "checkout_b == 0", "packaging/alerts.yml:1: the gateway has no metric checkout_b"),
            (&["checkout_gateway=debug", "checkout_a 3"], r#"up{job="checkout"}"#, ""),
        ] {
            expect(&alerts(&metrics.iter().copied().collect(), rules), expected, rules);
        }
    }

    #[test]
    fn a_threat_names_tests_that_exist() {
        let sources = [Source::new("gateway/a.rs", "fn one() {}\nasync fn two<T>() {}\n// fn three()\n")];
        let table = |test: &str| format!("| who | could | test |\n|---|---|---|\n| a | b | {test} |\n");
        for (text, expected) in [
            (table("`one`, `two`"), ""),
            (table("`one`, `three`"), "threat-model.md:3: there is no test three"),
            (table("none"), "names no test"),
            ("| threat | what to do |\n|---|---|\n| a | b |\n".to_owned(), ""),
        ] {
            expect(&threats(&sources, &text), expected, &text);
        }
    }

    #[test]
    fn an_unsteady_test_has_a_date_and_a_week() {
        let now = humantime::parse_rfc3339("2026-11-27T12:00:00Z").expect("a time");
        for (list, expected) in [
            ("# why\n\n2026-11-27 checkout-e2e --test e2e a::b: waits for a port", ""),
            ("2026-11-19 checkout-e2e --test e2e a::b: waits for a port", "more than a week"),
            ("yesterday checkout-e2e --test e2e a::b: waits for a port", "no date"),
            ("2026-11-27 checkout-e2e --test e2e a::b", "no reason"),
        ] {
            expect(&unsteady(list, now), expected, list);
        }
    }
}
