use std::sync::Arc;

use checkout_chain_conformance::account_suite::AccountSuite;
use checkout_chain_conformance::{Numbers, Payer};
use checkout_chain_doubles::rippled::ledger::REQUIRE_TAG;
use checkout_chain_xrp::{Key, PayoutSettings, XrpBroadcaster};

use super::{OURS, PAYER, World, node};

#[tokio::test]
async fn the_suite_of_all_chains() {
    let account = World::new().await;
    let key = Key::from_seed("sEdTM1uX8pu2do5XvTnutH6HsouMaM2").unwrap();
    {
        let mut ledger = account.server.ledger();
        ledger.accounts.get_mut(OURS).unwrap().flags = REQUIRE_TAG;
        ledger.fund(&key.account(), 1_000_000_000);
        ledger.fund(PAYER, 50_000_000);
    }
    let (node, numbers) = (node(&account.server.url), Arc::new(Numbers::default()));
    let broadcaster = XrpBroadcaster::new(node, key, Arc::clone(&numbers) as _, PayoutSettings::default());
    let payer = Payer { broadcaster, numbers };
    checkout_chain_conformance::all(&AccountSuite { account, payer, sends_one_at_a_time: false }).await;
}
