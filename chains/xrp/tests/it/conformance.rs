use checkout_chain_conformance::account_suite::AccountSuite;
use checkout_chain_conformance::accounts::TestAccount as _;
use checkout_chain_doubles::rippled::ledger::REQUIRE_TAG;

use super::{OURS, World};

#[tokio::test]
async fn the_suite_of_all_chains() {
    let world = World::open().await;
    world.server.ledger().accounts.get_mut(OURS).unwrap().flags = REQUIRE_TAG;
    checkout_chain_conformance::all(&AccountSuite(world)).await;
}
