//! Restricts names to folders.

use super::source::Source;

struct Rule {
    /// Files and folders where the rule applies, without endings: a module can be both.
    within: &'static [&'static str],
    /// Parts of `within` where the rule does not apply.
    except: &'static [&'static str],
    words: &'static [&'static str],
    reason: &'static str,
}

const RULES: &[Rule] = &[
    Rule {
        within: &[
            "widget/src/page",
            "widget/src/state",
            "widget/src/event",
            "widget/src/effect",
            "widget/src/step",
            "widget/src/present",
            "widget/src/words",
        ],
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
        except: &[
            "gateway/src/http",
            // Serves files over HTTP, so it uses the types of HTTP.
            "gateway/src/site",
        ],
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

pub(crate) fn check(source: &Source) -> Vec<String> {
    let is_in =
        |place: &&str| source.path.strip_prefix(*place).is_some_and(|rest| rest.starts_with(['.', '/']));
    let mut found = Vec::new();
    for rule in RULES.iter().filter(|rule| rule.within.iter().any(is_in) && !rule.except.iter().any(is_in)) {
        for (number, line) in &source.code.lines {
            for word in rule.words.iter().filter(|word| line.split(' ').any(|token| token == **word)) {
                found.push(format!("{}:{number}: `{word}`: {}", source.path, rule.reason));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Source, check};

    #[test]
    fn names_stay_where_they_belong() {
        for (path, text, expected) in [
            ("widget/src/step.rs", "use crate::state::State;\n// not leptos\n", ""),
            (
                "widget/src/step.rs",
                "\nuse leptos::prelude::*;\n",
                "widget/src/step.rs:2: `leptos`: the widget decides",
            ),
            (
                "widget/src/words/en.rs",
                "fn f() { web_sys::window(); }",
                "en.rs:1: `web_sys`: the widget decides",
            ),
            ("widget/src/screens/pay.rs", "use leptos::prelude::*;", ""),
            ("widget/src/stepper.rs", "use leptos::prelude::*;", ""),
            ("gateway/domain/src/payment.rs", "use tokio::time;", "payment.rs:1: `tokio`: the rules are not"),
            ("gateway/domain/src/ports/rates.rs", "use tokio::sync::watch;", ""),
            ("gateway/src/http/payments.rs", "use a::StatusCode;", ""),
            ("gateway/src/service/pay.rs", "use a::StatusCode;", "pay.rs:1: `StatusCode`: only http uses"),
            ("gateway/tests/api.rs", "use a::StatusCode;", ""),
            (
                "core/src/amount.rs",
                "const A: f64 = 1.0;",
                "amount.rs:1: `f64`: money and addresses are never",
            ),
        ] {
            let found = check(&Source::new(path, text)).join("\n");
            assert!(
                found.contains(expected) && found.is_empty() == expected.is_empty(),
                "{path} {text}: {found}"
            );
        }
    }
}
