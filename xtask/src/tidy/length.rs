//! A file of more than 500 lines must be split or have a reason.

use super::source::Source;

const LIMIT: usize = 500;

/// Files that may be longer, and why.
const REASONS: &[(&str, &str)] = &[];

pub(crate) fn check(source: &Source) -> Vec<String> {
    let lines = source.text.lines().count();
    if lines <= LIMIT || has_reason(&source.path) {
        return Vec::new();
    }
    vec![format!(
        "{}: {lines} lines; split it, or add a reason in xtask/src/tidy/length.rs (limit {LIMIT})",
        source.path
    )]
}

/// Reports reasons for files that are now short or deleted.
pub(crate) fn stale_reasons(sources: &[Source]) -> Vec<String> {
    REASONS
        .iter()
        .filter(|(path, _)| {
            !sources.iter().any(|source| source.path == *path && source.text.lines().count() > LIMIT)
        })
        .map(|(path, _)| format!("{path}: no longer needs a reason in xtask/src/tidy/length.rs"))
        .collect()
}

fn has_reason(path: &str) -> bool {
    REASONS.iter().any(|(known, _)| *known == path)
}

#[cfg(test)]
mod tests {
    use super::{LIMIT, Source, check};

    #[test]
    fn one_line_over_the_limit_is_found() {
        let file = |lines: usize| Source::new("core/src/a.rs", &"\n".repeat(lines));
        assert!(check(&file(LIMIT)).is_empty());
        let found = check(&file(LIMIT + 1));
        assert!(found[0].starts_with("core/src/a.rs: 501 lines"), "{found:?}");
    }
}
