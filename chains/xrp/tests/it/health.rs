use checkout_chain_conformance::accounts::{TestAccount as _, every_method_answers, reports};
use checkout_chain_doubles::Fault;
use checkout_chain_doubles::rippled::ledger::{DEPOSIT_AUTH, Ledger, REQUIRE_TAG};
use checkout_domain::chain::source::Level;
use checkout_domain::ports::Chain as _;

use super::{OURS, World};

#[tokio::test]
async fn each_problem_is_reported() {
    use Level::{Fault as Bad, Good, Warning};

    let check = async |change: fn(&mut Ledger), level: Level, subject: &str, part: &str| {
        let world = World::open().await;
        let flags = |ledger: &mut Ledger, flags| ledger.accounts.get_mut(OURS).unwrap().flags = flags;
        flags(&mut world.server.ledger(), REQUIRE_TAG);
        change(&mut world.server.ledger());
        reports(&world, level, subject, part).await;
    };
    check(|_| {}, Good, "sync", "ledger 90000000").await;
    check(|ledger| ledger.fault = Fault::Down, Bad, "connection", "503").await;
    check(|ledger| ledger.fault = Fault::Limited, Warning, "rate limit", "rate limit").await;
    check(|ledger| ledger.network = 1, Bad, "network", "on network 1, and 0 is configured").await;
    check(|ledger| ledger.age = 61, Bad, "sync", "61 seconds old").await;
    check(|ledger| ledger.state = "syncing", Bad, "sync", "syncing").await;
    check(|ledger| ledger.accounts.clear(), Bad, "account", "does not exist").await;
    check(
        |ledger| ledger.accounts.get_mut(OURS).unwrap().flags = DEPOSIT_AUTH,
        Bad,
        "account",
        "DepositAuth",
    )
    .await;
    check(|ledger| ledger.accounts.get_mut(OURS).unwrap().flags = 0, Warning, "account", "RequireDest").await;
    check(|ledger| ledger.missing = Some(89_999_990), Good, "history", "ledgers 89999991 to 90000000").await;
}

#[tokio::test]
async fn every_method_is_tried() {
    every_method_answers(&World::open().await, 6).await;
}

#[tokio::test]
async fn a_server_without_signed_forms_is_reported() {
    let world = World::open().await;
    world.deposit(495, 1_000_000);
    world.close(1);
    every_method_answers(&world, 6).await;
    world.server.ledger().json_alone = true;
    let checks = world.watched().chain.methods().await;
    let [check] = checks.as_slice() else { panic!("{checks:?}") };
    assert!(check.level == Level::Fault && check.detail.contains("tx with binary"), "{check:?}");
}
