//! Actions are pinned by commit and images by digest: a tag can be moved to something else.

pub(crate) const FILES: [&str; 5] = [
    ".github/workflows/ci.yml",
    ".github/workflows/release.yml",
    "Dockerfile",
    "compose.yaml",
    ".devcontainer/Dockerfile",
];

/// Images without a digest, each with the reason.
const UNPINNED: [(&str, &str); 2] = [
    ("mcr.microsoft.com/devcontainers/rust:1-bookworm", "for development only; nothing is built from it"),
    ("scratch", "the empty image"),
];

pub(crate) fn check(file: &str, text: &str) -> Vec<String> {
    let mut stages = Vec::new();
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim().trim_start_matches("- ");
        let (used, mark, length) = if let Some(rest) = line.strip_prefix("uses:") {
            (rest, "@", 40)
        } else if let Some(rest) = line.strip_prefix("FROM ").or_else(|| line.strip_prefix("image:")) {
            (rest, "@sha256:", 64)
        } else {
            continue;
        };
        let mut words = used.split_whitespace();
        let used = words.next().unwrap_or_default();
        let is_known = used.starts_with("./")
            || stages.contains(&used)
            || UNPINNED.iter().any(|(image, _)| *image == used);
        if words.next().is_some_and(|word| word.eq_ignore_ascii_case("as")) {
            stages.extend(words.next());
        }
        let digest = used.rsplit_once(mark).map_or("", |(_, digest)| digest);
        let is_pinned = digest.len() == length && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_pinned && !is_known {
            found.push(format!("{file}:{number}: {used} is not pinned by {length} hexadecimal digits"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_pinned_is_found() {
        let (commit, digest) = ("a".repeat(40), "b".repeat(64));
        let check = |text: &str, expected: usize| assert_eq!(check("file", text).len(), expected, "{text}");
        check(&format!("      - uses: actions/checkout@{commit} # v4"), 0);
        check("      - uses: actions/checkout@v4", 1);
        check("      - uses: actions/checkout@main", 1);
        check("    uses: ./.github/workflows/ci.yml", 0);
        check(&format!("FROM rust:1@sha256:{digest} AS build\nFROM build\nFROM debian:13"), 1);
        check(&format!("    image: postgres:15@sha256:{digest}"), 0);
        check("    image: postgres:15", 1);
        check("    build: .", 0);
    }
}
