use checkout_chain_doubles::Fault;
use checkout_chain_doubles::horizon::ledger::Ledger;
use checkout_domain::chain::source::Level;
use checkout_domain::ports::Chain as _;

use super::{OURS, World};

#[tokio::test]
async fn each_problem_is_reported() {
    use Level::{Fault as Bad, Good, Warning};

    let check = async |change: fn(&mut Ledger), level: Level, subject: &str, part: &str| {
        let world = World::new().await;
        let memo = ("config.memo_required".to_owned(), "MQ==".to_owned());
        world.server.ledger().accounts.get_mut(OURS).unwrap().data.extend([memo]);
        change(&mut world.server.ledger());
        let checks = world.chain.health().await;
        let worst = checks.iter().max_by_key(|check| check.level).unwrap();
        assert_eq!(worst.level, level, "{checks:?}");
        let found = checks
            .iter()
            .any(|check| check.level == level && check.subject == subject && check.detail.contains(part));
        assert!(found, "{subject}, {part}: {checks:?}");
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
    let world = World::new().await;
    let checks = world.chain.methods().await;
    let said: Vec<_> = checks.iter().map(|check| (check.level, check.detail.as_str())).collect();
    assert_eq!(said, [(Level::Good, "6 answer")]);
}
