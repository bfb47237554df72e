//! Every test that docs/threat-model.md names exists.

use std::collections::BTreeSet;

use super::source::Source;

pub(crate) const THREATS: &str = "docs/threat-model.md";

/// The heading of the column of tests.
const TEST: &str = "test";

pub(crate) fn check(sources: &[Source], text: &str) -> Vec<String> {
    let functions: BTreeSet<&str> = sources.iter().flat_map(functions).collect();
    let (mut found, mut is_tested) = (Vec::new(), false);
    for (number, line) in (1..).zip(text.lines()) {
        let Some(cells) = cells(line) else { continue };
        let last = cells.last().copied().unwrap_or_default();
        if cells.first() == Some(&"who") || cells.first() == Some(&"threat") {
            is_tested = last == TEST;
            continue;
        }
        if !is_tested || last.starts_with("---") {
            continue;
        }
        let names: Vec<&str> = last.split('`').skip(1).step_by(2).collect();
        if names.is_empty() {
            found.push(format!("{THREATS}:{number}: names no test"));
        }
        let missing = names.into_iter().filter(|name| !functions.contains(name));
        found.extend(missing.map(|name| format!("{THREATS}:{number}: there is no test {name}")));
    }
    found
}

fn cells(line: &str) -> Option<Vec<&str>> {
    let inner = line.strip_prefix('|')?.strip_suffix('|')?;
    Some(inner.split('|').map(str::trim).collect())
}

/// Names of functions, with and without arguments.
fn functions(source: &Source) -> impl Iterator<Item = &str> {
    let names = source.code.lines.iter().flat_map(|(_, line)| line.split("fn ").skip(1));
    names.filter_map(|rest| rest.split(' ').next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_does_not_exist_is_found() {
        let sources = [Source::new("gateway/a.rs", "fn one() {}\nasync fn two<T>() {}\n// fn three()\n")];
        let table = |test: &str| format!("| who | could | test |\n|---|---|---|\n| a | b | {test} |\n");
        let check = |text: &str, expected: usize| assert_eq!(check(&sources, text).len(), expected, "{text}");
        check(&table("`one`, `two`"), 0);
        check(&table("`one`, `three`"), 1);
        check(&table("none"), 1);
        check("| threat | what to do |\n|---|---|\n| a | b |\n", 0);
    }
}
