//! The command line says which currencies of a business no gateway on its database serves.

use serde_json::Value;

use crate::gateway::{Gateway, run};

#[test]
fn networks_that_no_gateway_serves_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("checkout.db");
    let database = format!("sqlite:{}", file.display());
    let business = |arguments: &[&str]| {
        let output = run(&[&["business"], arguments, &["--database", &database]].concat());
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let gateway = Gateway::start(&file, &["--sandbox"]);
    let made = business(&["create", "--name", "Tea", "--sandbox", "--json"]);
    assert_eq!(made.1, "", "everything that is there is offered");
    let made: Value = serde_json::from_str(&made.0).unwrap();
    let id = made["id"].as_str().unwrap();
    let check = |choice: &[&str], named: &[&str]| {
        for arguments in [&["update", id][..], &["create", "--name", "Tea", "--json"]] {
            let (answer, said) = business(&[arguments, choice].concat());
            assert!(serde_json::from_str::<Value>(&answer).is_ok(), "{answer}");
            assert_eq!(said.is_empty(), named.is_empty(), "{choice:?}: {said}");
            assert!(named.iter().all(|part| said.contains(part)), "{choice:?}: {said}");
        }
    };
    check(&["--deposit-pairs", "BTC,USDC/ETH,USDT"], &[]);
    check(&["--deposit-currencies", "BTC,XLM"], &[]);
    check(&["--deposit-pairs", "BTC,USDC/POLYGON"], &["USDC/POLYGON", "[chains.POLYGON]"]);
    check(&["--deposit-pairs", "DOGE,ETH/BASE"], &["DOGE", "[chains.DOGE]", "[chains.BASE]"]);
    check(&["--deposit-currencies", "BTC,DOGE"], &["DOGE"]);
    drop(gateway);
}
