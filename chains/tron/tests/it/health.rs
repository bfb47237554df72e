use std::sync::Arc;

use checkout_chain_doubles::Fault;
use checkout_chain_doubles::trongrid::chain::{Chain, GENESIS, USDT};
use checkout_chain_tron::{Settings, TronChain};
use checkout_domain::chain::source::Level;
use checkout_domain::ports::{Chain as _, Clock};

use super::{Given, World, node, settings};

/// The time of the newest block, and some seconds.
struct After(u64);

impl Clock for After {
    fn now_millis(&self) -> u64 {
        (1_790_000_000 + self.0) * 1000
    }
}

#[tokio::test]
async fn what_is_wrong_is_said() {
    use Level::{Fault as Bad, Good, Warning};

    let check = async |change: fn(&mut Chain), age: u64, settings: Settings, level: Level, part: &str| {
        let world = World::new().await;
        change(&mut world.server.chain());
        let chain = TronChain::new(settings, node(&world.server), Arc::new(Given), Arc::new(After(age)));
        let checks = chain.health().await;
        let worst = checks.iter().max_by_key(|check| check.level).unwrap();
        assert_eq!(worst.level, level, "{checks:?}");
        let said = |check: &&_| -> bool {
            let check: &checkout_domain::chain::source::Check = check;
            check.level == level && format!("{}: {}", check.subject, check.detail).contains(part)
        };
        assert!(checks.iter().find(said).is_some(), "{part}: {checks:?}");
    };
    check(|_| {}, 0, settings(), Good, "solidified up to block 70000000").await;
    check(|_| {}, 0, settings(), Good, "token: USDT at TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t").await;
    check(|_| {}, 299, settings(), Good, "299 s old").await;
    check(|_| {}, 301, settings(), Bad, "sync: the newest solidified block, 70000000, is 301 s old").await;
    check(
        |chain| chain.fault = Fault::Down,
        0,
        settings(),
        Bad,
        "connection: wallet/getblock: the server answered HTTP status 503",
    )
    .await;
    check(|chain| chain.fault = Fault::Limited, 0, settings(), Warning, "rate limit: ").await;
    check(|chain| chain.api_key = Some("x".to_owned()), 0, settings(), Bad, "refuses the API key").await;
    check(|chain| chain.genesis = GENESIS.replace('1', "2"), 0, settings(), Bad, "network: ").await;
    check(
        |chain| _ = chain.tokens.remove(USDT),
        0,
        settings(),
        Bad,
        "USDT at TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t is no token",
    )
    .await;
    check(
        |chain| _ = chain.tokens.insert(USDT.to_owned(), 18),
        0,
        settings(),
        Bad,
        "18 decimals instead of 6",
    )
    .await;
}

/// A lite node answers everything that a poll without payments asks, and closes what a payment needs.
#[tokio::test]
async fn methods_that_a_lite_node_closes_are_named() {
    let world = World::new().await;
    let said = async || -> Vec<String> {
        let checks = world.chain.methods().await;
        checks.iter().map(|check| format!("{:?} {}: {}", check.level, check.subject, check.detail)).collect()
    };
    let sound = said().await;
    assert!(sound.len() == 2 && sound[0] == "Good methods: 10 answer", "{sound:?}");
    assert!(sound[1].starts_with("Warning token: USDC on TRX was ended by its issuer"), "{sound:?}");
    world.server.chain().is_lite = true;
    let lite = said().await;
    let closed: Vec<_> = lite.iter().filter(|line| line.contains("lite fullnode: use a full node")).collect();
    assert!(
        closed.len() == 5 && closed.iter().all(|line| line.starts_with("Fault method: wallet")),
        "{lite:?}"
    );
}
