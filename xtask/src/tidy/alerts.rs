//! Every metric of the gateway has an alert in `packaging/alerts.yml`, and every alert a metric.

use std::collections::BTreeSet;

use super::source::Source;

pub(super) const ALERTS: &str = "packaging/alerts.yml";

pub(super) fn check(sources: &[Source], alerts: &str) -> Vec<String> {
    let metrics: BTreeSet<&str> = sources
        .iter()
        .filter(|source| source.path.starts_with("gateway/src/"))
        .flat_map(|source| source.text.split('"'))
        .filter(|text| is_name(text))
        .collect();
    let words = alerts.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let watched: BTreeSet<&str> =
        words.filter(|word| is_name(word)).map(|word| word.strip_suffix("_bucket").unwrap_or(word)).collect();
    let missing = metrics.difference(&watched).map(|name| format!("{ALERTS}:1: no alert reads {name}"));
    let unknown =
        watched.difference(&metrics).map(|name| format!("{ALERTS}:1: the gateway has no metric {name}"));
    missing.chain(unknown).collect()
}

fn is_name(text: &str) -> bool {
    let is_letter = |letter: u8| letter.is_ascii_lowercase() || letter == b'_';
    text.strip_prefix("checkout_").is_some_and(|rest| !rest.is_empty() && rest.bytes().all(is_letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_and_alerts_name_each_other() {
        let check = |metrics: &str, alerts: &str, expected: &[&str]| {
            let sources = [
                Source::new("gateway/src/metrics.rs", metrics),
                Source::new("core/src/a.rs", "\"checkout_c\""),
            ];
            assert_eq!(check(&sources, alerts), expected, "{metrics} {alerts}");
        };
        check(r#"gauge("checkout_a", "Help.");"#, "expr: checkout_a > 0", &[]);
        check(r#"histogram("checkout_a")"#, "rate(checkout_a_bucket[5m])", &[]);
        check(r#"gauge("checkout_a")"#, "", &["packaging/alerts.yml:1: no alert reads checkout_a"]);
        check("", "checkout_b == 0", &["packaging/alerts.yml:1: the gateway has no metric checkout_b"]);
        check(r#""checkout_gateway=debug", "checkout_a 3""#, r#"up{job="checkout"}"#, &[]);
    }
}
