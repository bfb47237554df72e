//! The first line of a wire file names the route that it describes.

use super::source::Source;

const METHODS: &[&str] = &["GET", "POST", "PATCH", "PUT", "DELETE"];

/// Files shared by several routes, which name none.
const SHARED: &[&str] = &[
    "core/src/wire/events.rs",
    "core/src/wire/fiat.rs",
    "core/src/wire/problem.rs",
    "core/src/wire/metadata.rs",
    "core/src/wire/page_query.rs",
    "core/src/wire/schema.rs",
    "core/src/wire/texts.rs",
    "core/src/wire/words.rs",
];

pub(crate) fn check(source: &Source) -> Vec<String> {
    if !source.path.starts_with("core/src/wire/") || SHARED.contains(&source.path.as_str()) {
        return Vec::new();
    }
    let first = source.text.lines().next().unwrap_or_default();
    if is_route(first) {
        return Vec::new();
    }
    vec![format!(
        "{}:1: the first line is the route, as in //! `GET /api/v1/payments/{{paymentId}}`",
        source.path
    )]
}

fn is_route(line: &str) -> bool {
    let Some((method, path)) = line.strip_prefix("//! `").and_then(|rest| rest.split_once(' ')) else {
        return false;
    };
    METHODS.contains(&method) && path.starts_with('/') && path.contains('`')
}

#[cfg(test)]
mod tests {
    use super::{Source, check};

    #[track_caller]
    fn expect(path: &str, text: &str, fine: bool) {
        assert_eq!(check(&Source::new(path, text)).is_empty(), fine, "{path} {text}");
    }

    #[test]
    fn the_first_line_is_the_route() {
        expect("core/src/wire/a.rs", "//! `GET /api/v1/a`\n", true);
        expect("core/src/wire/a.rs", "//! `PATCH /api/v1/a/{id}` (session token): more.\n", true);
        expect("core/src/wire/a.rs", "\n//! `GET /api/v1/a`\n", false);
        expect("core/src/wire/a.rs", "//! `FETCH /api/v1/a`\n", false);
        expect("core/src/wire/a.rs", "//! A thing.\n", false);
        expect("core/src/wire/problem.rs", "//! A thing.\n", true);
        expect("core/src/amount.rs", "//! A thing.\n", true);
    }
}
