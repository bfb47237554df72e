//! Rules that one file can break by itself: its first line, its length, disabled tests.

use super::source::Source;

/// A longer file is split.
const LIMIT: usize = 500;

const METHODS: &[&str] = &["GET", "POST", "PATCH", "PUT", "DELETE"];

const WIRE: &str = "wire/src/";

/// Files below [`WIRE`] that several routes share, and that name none.
const SHARED: &[&str] = &[
    "events",
    "fiat",
    "languages",
    "lib",
    "metadata",
    "page_query",
    "problem",
    "rules",
    "schema",
    "texts",
    "words",
];

pub(super) fn check(source: &Source) -> Vec<String> {
    let first = source.text.lines().next().unwrap_or_default();
    let lines = source.text.lines().count();
    let at = |number: usize, rule: &str| format!("{}:{number}: {rule}", source.path);
    let mut found = Vec::new();
    if source.is_product() && !first.starts_with("//! ") {
        found.push(at(1, "the first line says what the file is about, as in //! A quote."));
    }
    if is_of_a_route(&source.path) && !is_route(first) {
        found.push(at(1, "the first line is the route, as in //! `GET /api/v1/payments/{paymentId}`"));
    }
    if lines > LIMIT {
        found.push(at(lines, "a file has at most 500 lines; split it"));
    }
    let disabled = source.code.lines.iter().filter(|(_, line)| line.contains("# [ ignore"));
    found.extend(
        disabled.map(|(number, _)| at(*number, "a disabled test proves nothing; fix it or remove it")),
    );
    found
}

fn is_of_a_route(path: &str) -> bool {
    let name = path.strip_prefix(WIRE).and_then(|name| name.strip_suffix(".rs"));
    name.is_some_and(|name| !name.starts_with("rules/") && !SHARED.contains(&name))
}

fn is_route(line: &str) -> bool {
    let route = line.strip_prefix("//! `").and_then(|rest| rest.split_once(' '));
    route.is_some_and(|(method, path)| {
        METHODS.contains(&method) && path.starts_with('/') && path.contains('`')
    })
}

#[cfg(test)]
mod tests {
    use super::{LIMIT, Source, check};

    #[test]
    fn each_rule_is_found_where_it_applies() {
        let long = "//! A.\n".repeat(LIMIT + 1);
        for (path, text, expected) in [
            ("core/src/a.rs", "//! A quote.\nuse a::B;\n", ""),
            ("core/src/a.rs", "use a::B;\n", "what the file is about"),
            ("core/src/a.rs", "\n//! A quote.\nuse a::B;\n", "what the file is about"),
            ("core/tests/a.rs", "use a::B;\n", ""),
            ("xtask/src/a.rs", "use a::B;\n", ""),
            ("wire/src/a.rs", "//! `GET /api/v1/a`\n", ""),
            ("wire/src/a.rs", "//! `PATCH /api/v1/a/{id}` (session token): more.\n", ""),
            ("wire/src/a.rs", "\n//! `GET /api/v1/a`\n", "is the route"),
            ("wire/src/a.rs", "//! `FETCH /api/v1/a`\n", "is the route"),
            ("wire/src/a.rs", "//! A thing.\n", "is the route"),
            ("wire/src/problem.rs", "//! A thing.\n", ""),
            ("core/src/amount.rs", "//! A thing.\n", ""),
            ("www/a.css", &long, "at most 500 lines"),
            ("www/a.css", &long[7..], ""),
            ("core/tests/a.rs", "#[test]\n#[ignore]\nfn a() {}", "a.rs:2: a disabled test"),
            ("core/tests/a.rs", "#[ignore = \"slow\"]\nfn a() {}", "a disabled test"),
            ("core/tests/a.rs", "// #[ignore]\nconst A: &str = \"#[ignore]\";", ""),
        ] {
            let found = check(&Source::new(path, text)).join("\n");
            assert!(
                found.contains(expected) && found.is_empty() == expected.is_empty(),
                "{path} {text}: {found}"
            );
        }
    }
}
