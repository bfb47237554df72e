use checkout_chain_conformance::accounts::{every_method_answers, reports};
use checkout_chain_doubles::Fault;
use checkout_chain_doubles::horizon::ledger::Ledger;
use checkout_domain::chain::source::Level;

use super::{OURS, World};

#[tokio::test]
async fn each_problem_is_reported() {
    use Level::{Fault as Bad, Good, Warning};

    let check = async |change: fn(&mut Ledger), level: Level, subject: &str, part: &str| {
        let world = World::new().await;
        let memo = ("config.memo_required".to_owned(), "MQ==".to_owned());
        world.server.ledger().accounts.get_mut(OURS).unwrap().data.extend([memo]);
        change(&mut world.server.ledger());
        reports(&world, level, subject, part).await;
    };
    check(|_| {}, Good, "sync", "ledger 50000000").await;
    check(|ledger| ledger.fault = Fault::Down, Bad, "connection", "503").await;
    check(|ledger| ledger.fault = Fault::Limited, Warning, "rate limit", "rate limit").await;
    check(|ledger| ledger.passphrase = "other".to_owned(), Bad, "network", "the server is on 'other'").await;
    check(|ledger| ledger.behind = 12, Good, "sync", "ledger").await;
    check(|ledger| ledger.behind = 13, Bad, "sync", "13 ledgers behind").await;
    check(|ledger| ledger.accounts.clear(), Bad, "account", "does not exist").await;
    check(|ledger| ledger.accounts.get_mut(OURS).unwrap().data.clear(), Warning, "account", "SEP-29").await;
}

#[tokio::test]
async fn every_method_is_tried() {
    every_method_answers(&World::new().await, 6).await;
}
