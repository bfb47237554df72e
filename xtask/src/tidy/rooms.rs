//! Allowed imports between the rooms of a package. A room is a module with all modules inside it. The table
//! is the rule.

use super::modules::modules;
use super::source::Source;

struct Room {
    package: &'static str,
    /// The room and all modules inside it.
    name: &'static str,
    may_use: &'static [&'static str],
}

const fn room(package: &'static str, name: &'static str, may_use: &'static [&'static str]) -> Room {
    Room { package, name, may_use }
}

#[rustfmt::skip]
const ROOMS: &[Room] = &[
    // From a request to the domain; everything external is behind the ports.
    room("gateway", "http", &["events", "metrics", "render", "requests", "service", "site", "unwind"]),
    room("gateway", "site", &[]),
    room("gateway", "workers", &["background", "service"]),
    room("gateway", "service", &["background", "events", "metrics", "render", "requests", "unwind"]),
    room("gateway", "background", &["metrics", "unwind"]),
    room("gateway", "adapters", &["metrics", "requests"]),
    room("gateway", "requests", &["events"]),
    room("gateway", "render", &[]),
    room("gateway", "events", &[]),
    room("gateway", "metrics", &[]),

    // Inside the domain: rules above, data below.
    room("gateway/domain", "ports", &["access", "business", "ids", "callback", "chain", "ledger", "page", "payment", "rates", "withdrawal"]),
    room("gateway/domain", "callback", &["business", "ids", "chain", "ledger", "page", "payment", "withdrawal"]),
    room("gateway/domain", "payment", &["access", "business", "ids", "chain", "ledger", "page", "rates", "withdrawal"]),
    room("gateway/domain", "withdrawal", &["access", "ids", "chain", "ledger", "page", "rates", "words"]),
    room("gateway/domain", "business", &["ids", "rates", "words"]),
    room("gateway/domain", "ledger", &["ids", "page", "rates", "words"]),
    room("gateway/domain", "access", &["ids", "words"]),
    room("gateway/domain", "chain", &["ids", "words"]),
    room("gateway/domain", "ids", &[]),
    room("gateway/domain", "page", &[]),
    room("gateway/domain", "rates", &[]),
    room("gateway/domain", "words", &[]),

    // From the ports to SQL.
    room("gateway/storage", "ports", &["changes", "pages", "rows", "secrets", "statements"]),
    room("gateway/storage", "pages", &["rows", "statements"]),
    room("gateway/storage", "changes", &["rows", "secrets", "statements"]),
    room("gateway/storage", "rows", &["secrets", "statements"]),
    room("gateway/storage", "statements", &[]),
    room("gateway/storage", "connections", &["migrations", "restore", "statements"]),
    room("gateway/storage", "restore", &["migrations", "statements"]),
    room("gateway/storage", "secrets", &["statements"]),
    room("gateway/storage", "migrations", &["statements"]),

    // The simulated world and its controls.
    room("sandbox", "http", &["inbox", "overview"]),
    room("sandbox", "overview", &["inbox"]),
    room("sandbox", "inbox", &[]),
    room("sandbox", "rehearsal", &[]),
    room("sandbox", "shop", &[]),
    room("sandbox/simulator", "world", &["chain", "clock", "deposit_keys", "rates", "records", "requests", "storage"]),
    room("sandbox/simulator", "chain", &["requests"]),
    room("sandbox/simulator", "storage", &["records"]),
];

const PACKAGES: [&str; 5] = ["gateway", "gateway/domain", "gateway/storage", "sandbox", "sandbox/simulator"];

pub(crate) fn check(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for package in PACKAGES {
        let rooms = || ROOMS.iter().filter(|room| room.package == package);
        for module in modules(package, sources) {
            let Some(room) = rooms().find(|room| is_in(&module.name, room.name)) else { continue };
            for used in &module.uses {
                let other = used.split("::").next().unwrap_or(used);
                if other != room.name && !room.may_use.contains(&other) {
                    found.push(format!(
                        "{}: {} uses {used}, and {} may not use {other}: move what is shared below both, or, if the arrow \
                         is right, add it to xtask/src/tidy/rooms.rs",
                        module.path, module.name, room.name
                    ));
                }
            }
        }
    }
    found
}

fn is_in(module: &str, room: &str) -> bool {
    module == room || module.strip_prefix(room).is_some_and(|rest| rest.starts_with("::"))
}

#[cfg(test)]
mod tests {
    use super::{Source, check};

    #[test]
    fn arrows_point_one_way() {
        let check = |path: &str, text: &str, expected: &str| {
            let others =
                ["src/http", "src/service", "domain/src/chain", "domain/src/payment", "domain/src/ports"];
            let mut sources: Vec<Source> =
                others.iter().map(|name| Source::new(&format!("gateway/{name}.rs"), "")).collect();
            sources.push(Source::new(&format!("gateway/{path}"), text));
            let found = super::check(&sources).join("\n");
            assert_eq!(found.is_empty(), expected.is_empty(), "{path}: {found}");
            assert!(found.contains(expected), "{path}: {found}");
        };
        check("src/http/pay.rs", "use crate::service::pay;", "");
        check("src/service/pay.rs", "use crate::http::Shared;", "service may not use http");
        check("domain/src/chain/output.rs", "use crate::payment::Payment;", "chain may not use payment");
        check("domain/src/payment/deposit.rs", "use crate::chain::Output;", "");
        check("domain/src/ports/pay.rs", "use super::Stored;", "");
    }

    #[test]
    fn the_real_table_is_checked() {
        assert!(check(&[]).is_empty());
    }
}
