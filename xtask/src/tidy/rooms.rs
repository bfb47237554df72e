//! Allowed imports between the rooms of a package. A room is a module with all modules inside it. The table
//! is the rule.

use std::collections::BTreeSet;

use super::circles::is_inside;
use super::modules::of_crate;
use super::source::Source;

/// A package, the room, and the rooms that it may use.
type Room = (&'static str, &'static str, &'static [&'static str]);

#[rustfmt::skip]
const ROOMS: &[Room] = &[
    // From a request to the domain; everything external is behind the ports.
    ("gateway", "http", &["events", "metrics", "render", "requests", "service", "site", "unwind"]),
    ("gateway", "site", &[]),
    ("gateway", "workers", &["background", "service"]),
    ("gateway", "service", &["background", "events", "metrics", "render", "requests", "unwind"]),
    ("gateway", "background", &["metrics", "unwind"]),
    ("gateway", "adapters", &["metrics", "requests"]),
    ("gateway", "requests", &["events"]),
    ("gateway", "render", &[]),
    ("gateway", "events", &[]),
    ("gateway", "metrics", &[]),

    // Inside the domain: rules above, data below.
    ("gateway/domain", "ports", &["access", "business", "ids", "callback", "chain", "ledger", "page", "payment", "rates", "withdrawal"]),
    ("gateway/domain", "callback", &["business", "ids", "chain", "ledger", "page", "payment", "withdrawal"]),
    ("gateway/domain", "payment", &["access", "business", "ids", "chain", "ledger", "page", "rates", "withdrawal"]),
    ("gateway/domain", "withdrawal", &["access", "ids", "chain", "ledger", "page", "rates", "words"]),
    ("gateway/domain", "business", &["ids", "rates", "words"]),
    ("gateway/domain", "ledger", &["ids", "page", "rates", "words"]),
    ("gateway/domain", "access", &["ids", "words"]),
    ("gateway/domain", "chain", &["ids", "words"]),
    ("gateway/domain", "ids", &[]),
    ("gateway/domain", "page", &[]),
    ("gateway/domain", "rates", &[]),
    ("gateway/domain", "words", &[]),

    // From the ports to SQL.
    ("gateway/storage", "ports", &["changes", "pages", "rows", "secrets", "statements"]),
    ("gateway/storage", "pages", &["rows", "statements"]),
    ("gateway/storage", "changes", &["rows", "secrets", "statements"]),
    ("gateway/storage", "rows", &["secrets", "statements"]),
    ("gateway/storage", "statements", &[]),
    ("gateway/storage", "connections", &["migrations", "restore", "statements"]),
    ("gateway/storage", "restore", &["migrations", "statements"]),
    ("gateway/storage", "secrets", &["statements"]),
    ("gateway/storage", "migrations", &["statements"]),

    // The simulated world and its controls.
    ("sandbox", "http", &["inbox", "overview"]),
    ("sandbox", "overview", &["inbox"]),
    ("sandbox", "inbox", &[]),
    ("sandbox", "rehearsal", &[]),
    ("sandbox", "shop", &[]),
    ("sandbox/simulator", "world", &["chain", "clock", "deposit_keys", "rates", "records", "requests", "storage"]),
    ("sandbox/simulator", "chain", &["requests"]),
    ("sandbox/simulator", "storage", &["records"]),
];

pub(super) fn check(sources: &[Source]) -> Vec<String> {
    let packages: BTreeSet<&str> = ROOMS.iter().map(|(package, ..)| *package).collect();
    let mut found = Vec::new();
    for package in packages {
        let rooms = || ROOMS.iter().filter(|(of, ..)| *of == package);
        for (module, uses) in of_crate(package, sources) {
            let Some((_, room, may_use)) =
                rooms().find(|(_, room, _)| module == *room || is_inside(&module, room))
            else {
                continue;
            };
            for used in &uses {
                let other = used.split("::").next().unwrap_or(used);
                if other != *room && !may_use.contains(&other) {
                    found.push(format!(
                        "{package}/src: {module} uses {used}, and {room} may not use {other}: move what is shared below both, or, if the arrow \
                         is right, add it to xtask/src/tidy/rooms.rs"
                    ));
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::Source;

    #[test]
    fn arrows_point_one_way() {
        let check = |path: &str, text: &str, expected: &str| {
            let others =
                ["src/http", "src/service", "domain/src/chain", "domain/src/payment", "domain/src/ports"];
            let mut sources: Vec<Source> =
                others.iter().map(|name| Source::new(&format!("gateway/{name}.rs"), "")).collect();
            sources.push(Source::new(&format!("gateway/{path}"), text));
            super::super::expect(&super::check(&sources), expected, path);
        };
        check("src/http/pay.rs", "use crate::service::pay;", "");
        check("src/service/pay.rs", "use crate::http::Shared;", "service may not use http");
        check("domain/src/chain/output.rs", "use crate::payment::Payment;", "chain may not use payment");
        check("domain/src/payment/deposit.rs", "use crate::chain::Output;", "");
        check("domain/src/ports/pay.rs", "use super::Stored;", "");
    }
}
