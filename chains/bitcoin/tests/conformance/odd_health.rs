//! The health of a server with odd answers is a clear fault, or good where the answer is not needed.

use checkout_chain_doubles::hostile::{Costs, Odd, row};
use checkout_domain::chain::source::{Check, Level};
use checkout_domain::ports::chain::Chain as _;

use crate::esplora::OnEsplora;
use crate::{Environment, behind_a_server, esplora};

const ANY: &[&str] =
    &[r#""\u0000""#, "null", "-1", "18446744073709551616", "-9223372036854775808", "1e999", "[]"];

/// Values that are no text.
const NO_TEXT: &[&str] = &["null", "-1", "18446744073709551616", "1e999", "[]", "{}"];

/// The check that matters most.
fn worst(checks: &[Check]) -> (&'static str, Level) {
    let of = |level| checks.iter().find(|check| check.level == level);
    let worst = of(Level::Fault).or_else(|| of(Level::Warning)).or(checks.last()).expect("a check");
    (worst.subject, worst.level)
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_node_with_odd_answers() {
    let (_on, server, _, chain) = behind_a_server(1).await;
    assert_eq!(worst(&chain.health().await), ("wallet", Level::Good));
    let check = async |call, fields: &[&'static str], values: &[&'static str], expected| {
        for (pointer, value) in fields.iter().flat_map(|field| values.iter().map(move |value| (field, value)))
        {
            server.arm(row(call, Odd::Head(pointer, value), Costs::Answer), "");
            let checks = chain.health().await;
            assert_eq!(worst(&checks), expected, "{call} {pointer} {value}: {checks:?}");
        }
    };
    let fault = ("connection", Level::Fault);
    check("getblockchaininfo", &["", "/blocks", "/headers", "/pruned"], ANY, fault).await;
    check("getblockchaininfo", &["/blocks"], &["0", "400"], ("blocks", Level::Fault)).await;
    check("getblockchaininfo", &["/chain", "/bestblockhash"], NO_TEXT, fault).await;
    check("getblockchaininfo", &["/chain"], &[r#""\u0000""#], ("network", Level::Fault)).await;
    check("getnetworkinfo", &["", "/connections"], ANY, fault).await;
    check("getnetworkinfo", &["/subversion"], NO_TEXT, fault).await;
    check("getnetworkinfo", &["/timeoffset"], &["null", "1e999", "[]"], fault).await;
    check(
        "getnetworkinfo",
        &["/timeoffset"],
        &["-9223372036854775808", "9223372036854775807"],
        ("clock", Level::Warning),
    )
    .await;
    check("validateaddress", &["", "/isvalid"], ANY, fault).await;
    check("getindexinfo", &["", "/txindex"], &["null", "-1", "[]"], ("txindex", Level::Warning)).await;
    let fault = ("wallet", Level::Fault);
    check("listwallets", &[""], ANY, fault).await;
    check("getwalletinfo", &[""], &["null", "-1", "1e999"], fault).await;
    check("getwalletinfo", &["/descriptors"], ANY, fault).await;
    check("getwalletinfo", &["/private_keys_enabled"], &["-1", "[]"], fault).await;
    check("getwalletinfo", &["/scanning"], &["null", "-1", "[]"], ("wallet", Level::Good)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_an_esplora_server_with_odd_answers() {
    let on = OnEsplora::start().await;
    let check = async |call, odd: &dyn Fn(&'static str) -> Odd, subject| {
        for value in ANY {
            on.server.arm(row(call, odd(value), Costs::Answer), "");
            // A new process asks for all.
            let chain = esplora::chain(&on.server, &on.given, Environment::Regtest);
            let checks = chain.health().await;
            assert_eq!(worst(&checks), (subject, Level::Fault), "{call} {value}: {checks:?}");
        }
    };
    for field in ["", "/height", "/timestamp", "/id"] {
        check("block", &|value| Odd::Head(field, value), "connection").await;
    }
    check("blocks", &|value| Odd::Says(200, value), "connection").await;
    check("block-height", &|value| Odd::Says(200, value), "connection").await;
    check("address", &|value| Odd::Says(200, value), "connection").await;
}
