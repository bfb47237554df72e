//! Rules that one line breaks by itself, and the length of a file.

use super::source::Source;

/// A longer file is split.
const LIMIT: usize = 500;

struct Rule {
    /// Files and folders where the rule applies, without endings: a module can be both.
    within: &'static [&'static str],
    /// Parts of `within` where the rule does not apply.
    except: &'static [&'static str],
    /// Names that code may not have there.
    words: &'static [&'static str],
    reason: &'static str,
}

#[rustfmt::skip]
const RULES: &[Rule] = &[
    Rule {
        within: &["widget/src/page", "widget/src/state", "widget/src/event", "widget/src/effect", "widget/src/step", "widget/src/present", "widget/src/words"],
        except: &[],
        words: &["leptos", "web_sys", "js_sys", "wasm_bindgen", "gloo_net", "gloo_timers"],
        reason: "the widget decides in pure modules; only the shell and the components use the browser",
    },
    Rule {
        within: &["gateway/domain/src"],
        except: &["gateway/domain/src/ports"],
        words: &["tokio"],
        reason: "the rules are not asynchronous; I/O belongs behind the ports",
    },
    Rule {
        within: &["gateway/src"],
        // The site is files over HTTP.
        except: &["gateway/src/http", "gateway/src/site"],
        words: &["StatusCode"],
        reason: "only http uses status codes",
    },
    Rule {
        within: &["core/src"],
        except: &[],
        words: &["f32", "f64"],
        reason: "money and addresses are never floating point",
    },
];

/// Images without a digest: for development only, and the empty one.
const UNPINNED: &[&str] = &["mcr.microsoft.com/devcontainers/rust:1-bookworm", "scratch"];

pub(super) fn check(sources: &[Source]) -> Vec<String> {
    sources.iter().flat_map(of_file).collect()
}

fn of_file(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    let mut add = |number: usize, fault: String| found.push(format!("{}:{number}: {fault}", source.path));
    let lines = source.text.lines().count();
    if lines > LIMIT {
        add(lines, format!("a file has at most {LIMIT} lines; split it"));
    }
    if source.is_product() && !source.text.starts_with("//! ") {
        add(1, "the first line says what the file is about, as in //! A quote.".to_owned());
    }
    let rules = || RULES.iter().filter(|rule| source.is_in(rule.within) && !source.is_in(rule.except));
    for (number, line) in &source.code.lines {
        for (word, rule) in rules().flat_map(|rule| rule.words.iter().map(move |word| (word, rule))) {
            if line.split(' ').any(|token| token == *word) {
                add(*number, format!("`{word}`: {}", rule.reason));
            }
        }
        if line.contains("# [ ignore") {
            add(*number, "a disabled test proves nothing; fix it or remove it".to_owned());
        }
    }
    if source.path.ends_with(".yml") || source.path.ends_with("Dockerfile") || source.path == "compose.yaml" {
        for (number, used) in unpinned(&source.text) {
            add(number, format!("{used} is not pinned by a commit or a digest: a tag can be moved"));
        }
    }
    found
}

/// The actions and images that are no files or stages of ours and have no commit or digest.
fn unpinned(text: &str) -> Vec<(usize, &str)> {
    let stages: Vec<&str> =
        text.lines().filter_map(|line| Some(line.strip_prefix("FROM ")?.split_once(" AS ")?.1)).collect();
    let lines = (1..).zip(text.lines().map(|line| line.trim().trim_start_matches("- ")));
    let used = lines.filter_map(|(number, line)| {
        let rest = ["uses:", "FROM ", "image:"].iter().find_map(|start| line.strip_prefix(start));
        Some((number, rest?.split_whitespace().next()?))
    });
    let is_pinned = |name: &str| {
        let digest = name.rsplit_once("@sha256:").map(|(_, digest)| (digest, 64));
        let commit = name.rsplit_once('@').map(|(_, commit)| (commit, 40));
        digest.or(commit).is_some_and(|(hex, length)| {
            hex.len() == length && hex.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
    };
    let is_ours = |name: &str| name.starts_with("./") || stages.contains(&name) || UNPINNED.contains(&name);
    used.filter(|(_, name)| !is_pinned(name) && !is_ours(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::{LIMIT, Source, check};

    #[test]
    #[rustfmt::skip]
    fn each_rule_is_found_where_it_applies() {
        let long = "//! A.\n".repeat(LIMIT + 1);
        let (commit, digest) = ("a".repeat(40), "b".repeat(64));
        let stages = |last: &str| format!("FROM rust:1@sha256:{digest} AS build\nFROM build\nFROM {last}");
        for (path, text, expected) in [
            ("widget/src/step.rs", "//! A.\nuse crate::state::State;\n// not leptos\n", ""),
            ("widget/src/step.rs", "//! A.\nuse leptos::prelude::*;", "step.rs:2: `leptos`: the widget decides"),
            ("widget/src/words/en.rs", "//! A.\nfn f() { web_sys::window(); }", "en.rs:2: `web_sys`: the widget decides"),
            ("widget/src/screens/pay.rs", "//! A.\nuse leptos::prelude::*;", ""),
            ("widget/src/stepper.rs", "//! A.\nuse leptos::prelude::*;", ""),
            ("gateway/domain/src/payment.rs", "//! A.\nuse tokio::time;", "payment.rs:2: `tokio`: the rules are not"),
            ("gateway/domain/src/ports/rates.rs", "//! A.\nuse tokio::sync::watch;", ""),
            ("gateway/src/http/payments.rs", "//! A.\nuse a::StatusCode;", ""),
            ("gateway/src/service/pay.rs", "//! A.\nuse a::StatusCode;", "pay.rs:2: `StatusCode`: only http uses"),
            ("core/src/amount.rs", "//! A.\nconst A: f64 = 1.0;", "amount.rs:2: `f64`: money and addresses are never"),
            ("core/src/a.rs", "use a::B;\n", "what the file is about"),
            ("core/src/a.rs", "\n//! A quote.\nuse a::B;\n", "what the file is about"),
            ("xtask/src/a.rs", "use a::B;\n", ""),
            ("www/a.css", &long, "at most 500 lines"),
            ("www/a.css", &long[7..], ""),
            ("core/tests/a.rs", "#[test]\n#[ignore]\nfn a() {}", "a.rs:2: a disabled test"),
            ("core/tests/a.rs", "#[ignore = \"slow\"]\nfn a() {}", "a disabled test"),
            ("core/tests/a.rs", "// #[ignore]\nconst A: &str = \"#[ignore]\";", ""),
            ("ci.yml", &format!("      - uses: actions/checkout@{commit} # v4"), ""),
            ("ci.yml", "      - uses: actions/checkout@v4", "ci.yml:1: actions/checkout@v4 is not pinned"),
            ("ci.yml", "    uses: ./.github/workflows/ci.yml", ""),
            ("Dockerfile", &stages("scratch"), ""),
            ("Dockerfile", &stages("debian:13"), "Dockerfile:3: debian:13 is not pinned"),
            ("compose.yaml", &format!("    image: postgres:15@sha256:{digest}"), ""),
            ("compose.yaml", "    image: postgres:15", "is not pinned"),
        ] {
            super::super::expect(&check(&[Source::new(path, text)]), expected, &format!("{path} {text}"));
        }
    }
}
