//! Restricts names to folders.

use super::source::Source;

struct Rule {
    /// Where the rule applies, as path prefixes; `name.` and `name/` for a module that is a file and a folder.
    within: &'static [&'static str],
    /// Parts of `within` where the rule does not apply.
    except: &'static [&'static str],
    words: &'static [&'static str],
    reason: &'static str,
}

const RULES: &[Rule] = &[
    Rule {
        within: &[
            "widget/src/page.",
            "widget/src/state.",
            "widget/src/state/",
            "widget/src/event.",
            "widget/src/event/",
            "widget/src/effect.",
            "widget/src/effect/",
            "widget/src/step.",
            "widget/src/step/",
            "widget/src/present.",
            "widget/src/present/",
            "widget/src/words.",
            "widget/src/words/",
        ],
        except: &[],
        words: &["leptos", "web_sys", "js_sys", "wasm_bindgen", "gloo_net", "gloo_timers"],
        reason: "the widget decides in pure modules; only the shell and the components use the browser",
    },
    Rule {
        within: &["gateway/domain/src/"],
        except: &["gateway/domain/src/ports.", "gateway/domain/src/ports/"],
        words: &["tokio"],
        reason: "the rules are not asynchronous; I/O belongs behind the ports",
    },
    Rule {
        within: &["gateway/src/"],
        except: &[
            "gateway/src/http.",
            "gateway/src/http/",
            // Serves files over HTTP, so it uses the types of HTTP.
            "gateway/src/site.",
            "gateway/src/site/",
        ],
        words: &["StatusCode"],
        reason: "only http uses status codes",
    },
    Rule {
        within: &["core/src/"],
        except: &[],
        words: &["f32", "f64"],
        reason: "money and addresses are never floating point",
    },
];

pub(crate) fn check(source: &Source) -> Vec<String> {
    let starts = |beginnings: &[&str]| beginnings.iter().any(|beginning| source.path.starts_with(beginning));
    let mut found = Vec::new();
    for rule in RULES.iter().filter(|rule| starts(rule.within) && !starts(rule.except)) {
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

    #[track_caller]
    fn expect(path: &str, text: &str, expected: &[&str]) {
        assert_eq!(check(&Source::new(path, text)), expected);
    }

    #[test]
    fn names_stay_where_they_belong() {
        let pure = "the widget decides in pure modules; only the shell and the components use the browser";
        expect("widget/src/step.rs", "use crate::state::State;\n// not leptos\n", &[]);
        expect(
            "widget/src/step.rs",
            "\nuse leptos::prelude::*;\n",
            &[&format!("widget/src/step.rs:2: `leptos`: {pure}")],
        );
        expect(
            "widget/src/words/en.rs",
            "fn f() { web_sys::window(); }",
            &[&format!("widget/src/words/en.rs:1: `web_sys`: {pure}")],
        );
        expect("widget/src/screens/pay.rs", "use leptos::prelude::*;", &[]);
        expect("widget/src/stepper.rs", "use leptos::prelude::*;", &[]);

        let rules = "the rules are not asynchronous; I/O belongs behind the ports";
        expect(
            "gateway/domain/src/payment.rs",
            "use tokio::time;",
            &[&format!("gateway/domain/src/payment.rs:1: `tokio`: {rules}")],
        );
        expect("gateway/domain/src/ports/rates.rs", "use tokio::sync::watch;", &[]);
        expect("gateway/src/http/payments.rs", "use a::StatusCode;", &[]);
        expect(
            "gateway/src/service/pay.rs",
            "use a::StatusCode;",
            &["gateway/src/service/pay.rs:1: `StatusCode`: only http uses status codes"],
        );
        expect("gateway/tests/api.rs", "use a::StatusCode;", &[]);
        expect(
            "core/src/amount.rs",
            "const A: f64 = 1.0;",
            &["core/src/amount.rs:1: `f64`: money and addresses are never floating point"],
        );
    }
}
