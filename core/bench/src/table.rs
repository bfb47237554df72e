//! The results as Markdown.

use std::fmt::Write;

use crate::hostile::Worst;

/// A candidate to compare with.
pub(crate) struct Beside {
    pub(crate) name: &'static str,
    pub(crate) nanoseconds: f64,
    /// Our time divided by theirs.
    pub(crate) ratio: f64,
}

/// A kind of address; times in nanoseconds.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// `Address::parse`.
    pub(crate) parse: f64,
    /// `validate`, with the normal form.
    pub(crate) validate: f64,
    /// The fastest crate, compared with `parse`.
    pub(crate) peer: Option<Beside>,
    /// Compared with `parse`.
    pub(crate) floor: Beside,
    /// Compared with `validate`.
    pub(crate) verdict_floor: Beside,
}

/// The target is at most `floor` times this.
const LIMIT: f64 = 1.3;

pub(crate) fn kinds(rows: &[Row]) -> String {
    let mut text = String::from(
        "| kind | `parse` | best Rust crate | ours ÷ it | floor | ours ÷ it | `validate` | its floor | ours ÷ it |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let (peer, peer_ratio) = match &row.peer {
            Some(peer) => (shown(peer), ratio(peer.ratio, 1.0)),
            None => ("–".to_owned(), "–".to_owned()),
        };
        let Row { name, parse, validate, floor, verdict_floor, .. } = row;
        let (floor_ratio, verdict_ratio) = (ratio(floor.ratio, LIMIT), ratio(verdict_floor.ratio, LIMIT));
        let (floor, verdict_floor) = (shown(floor), shown(verdict_floor));
        line(
            &mut text,
            &format!(
                "| {name} | {parse:.0} ns | {peer} | {peer_ratio} | {floor} | {floor_ratio} \
                 | {validate:.0} ns | {verdict_floor} | {verdict_ratio} |"
            ),
        );
    }
    text
}

pub(crate) fn hostile(groups: &[Worst]) -> String {
    let mut text = String::from("| hostile text | longest time | of | on |\n|---|---|---|---|\n");
    for Worst { length, nanoseconds, text: which, pair } in groups {
        line(&mut text, &format!("| {length} | {nanoseconds:.0} ns | {which} | {pair} |"));
    }
    text
}

fn line(text: &mut String, row: &str) {
    writeln!(text, "{row}").expect("a text takes all that is written");
}

fn shown(beside: &Beside) -> String {
    format!("{:.0} ns {}", beside.nanoseconds, beside.name)
}

/// Marks a value over its limit.
fn ratio(ratio: f64, limit: f64) -> String {
    if ratio > limit { format!("**{ratio:.2}**") } else { format!("{ratio:.2}") }
}

#[cfg(test)]
mod tests {
    use super::{Beside, LIMIT, Row, kinds, ratio};

    #[test]
    fn values_over_the_limit_are_marked() {
        assert_eq!(ratio(1.2, LIMIT), "1.20");
        assert_eq!(ratio(1.4, LIMIT), "**1.40**");
    }

    #[test]
    fn a_kind_without_a_peer_has_a_dash() {
        let beside = || Beside { name: "x", nanoseconds: 10.0, ratio: 1.1 };
        let row = Row {
            name: "k",
            parse: 11.0,
            validate: 12.0,
            peer: None,
            floor: beside(),
            verdict_floor: beside(),
        };
        let table = kinds(&[row]);
        assert_eq!(
            table.lines().last(),
            Some("| k | 11 ns | – | – | 10 ns x | 1.10 | 12 ns | 10 ns x | 1.10 |")
        );
    }
}
