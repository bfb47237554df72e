use std::collections::BTreeSet;

use crate::support::gateway::order;
use crate::support::stage::journey;

#[test]
fn the_page_has_a_strict_policy() {
    journey(async |stage| {
        let created = stage.open(&order()).await;
        // The journey also fails if the page violates its own policy.
        stage.page().until_screen("choose").await;

        let answer = stage.gateway.http.get(created.payment_url.as_str()).call().unwrap();
        assert!(answer.status().is_success());
        let header = |name: &str| {
            let value = answer.headers().get(name);
            value.map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
        };
        let policy = header("content-security-policy");
        let mut directives = policy.split(';').map(|directive| {
            let mut words = directive.split_whitespace().map(str::to_owned);
            (words.next().unwrap_or_default(), words.collect::<BTreeSet<_>>())
        });
        let directives: std::collections::BTreeMap<_, _> = directives.by_ref().collect();
        let words = |list: &[&str]| list.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
        assert_eq!(directives.get("default-src"), Some(&words(&["'none'"])), "{policy}");
        let mut scripts = directives.get("script-src").cloned().unwrap_or_default();
        // The watchdog's digest: SHA-256 is 43 characters of base64, and a `=`.
        let digests: Vec<_> =
            scripts.extract_if(.., |word| word.starts_with("'sha256-") && word.len() == 53).collect();
        assert_eq!(digests.len(), 1, "{policy}");
        assert_eq!(scripts, words(&["'self'", "'wasm-unsafe-eval'"]), "{policy}");
        let framers = words(&[&stage.gateway.ready.base_url, &stage.gateway.ready.shop_url]);
        let allowed = directives.get("frame-ancestors").cloned().unwrap_or_default();
        assert!(framers.is_subset(&allowed) && !allowed.contains("*"), "{policy}");
        for unsafe_word in ["'unsafe-inline'", "'unsafe-eval'", "'unsafe-hashes'", "*", "http:", "https:"] {
            assert!(
                !directives.values().flatten().any(|word| word == unsafe_word),
                "{unsafe_word} in {policy}"
            );
        }
        assert_eq!(header("referrer-policy"), "no-referrer");
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("set-cookie"), "", "no cookies");
        assert!(header("cache-control").contains("no-store"), "{}", header("cache-control"));
    });
}
