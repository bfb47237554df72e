//! The front pages of the crate and of the npm package show figures of docs/validation.md.
//!
//! `CHECKOUT_BLESS=1 cargo test -p checkout-core front_pages` copies them after a benchmark.

use std::fs;

use crate::support::path;

fn cells(line: &str) -> Option<Vec<&str>> {
    let row = line.strip_prefix("| ")?.strip_suffix(" |")?;
    Some(row.split(" | ").collect())
}

/// Each row of the table "How fast it is" has these cells of the measured row of its kind.
#[track_caller]
fn check(page: &str, benchmark: &str, columns: &[usize]) {
    let measured = fs::read_to_string(path("../../../docs/validation.md")).unwrap();
    let (_, measured) = measured.split_once(&format!("<!-- bench {benchmark} -->\n")).unwrap();
    let measured: Vec<_> = measured.split("<!-- end -->").next().unwrap().lines().filter_map(cells).collect();

    let file = path(&format!("../../../{page}"));
    let shown = fs::read_to_string(&file).unwrap();
    let (_, section) = shown.split_once("\n## How fast it is\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let mut renewed = shown.clone();
    let rows: Vec<_> = section.lines().filter_map(|line| Some((line, cells(line)?))).skip(1).collect();
    assert!(rows.len() > 5, "{page}");
    for (line, row) in rows {
        let of_kind = measured.iter().find(|cells| cells[0] == row[0]);
        let of_kind = of_kind.unwrap_or_else(|| panic!("{}: not in docs/validation.md", row[0]));
        let expected: Vec<_> = columns.iter().map(|column| of_kind[*column]).collect();
        renewed = renewed.replace(line, &format!("| {} |", expected.join(" | ")));
    }
    if std::env::var_os("CHECKOUT_BLESS").is_some() {
        fs::write(&file, &renewed).unwrap();
    }
    assert_eq!(renewed, fs::read_to_string(&file).unwrap(), "{page}: renew it with CHECKOUT_BLESS=1");
}

#[test]
fn the_lead_on_the_front_pages_is_the_measured_one() {
    check("core/README.md", "core", &[0, 1, 2]);
    check("npm/package/README.md", "npm", &[0, 1, 2, 6]);
}
