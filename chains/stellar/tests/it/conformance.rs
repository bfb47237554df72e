use checkout_chain_conformance::account_suite::AccountSuite;

use super::{OURS, World};

#[tokio::test]
async fn the_suite_of_all_chains() {
    let world = World::new().await;
    let memo = ("config.memo_required".to_owned(), "MQ==".to_owned());
    world.server.ledger().accounts.get_mut(OURS).unwrap().data.extend([memo]);
    checkout_chain_conformance::all(&AccountSuite(world)).await;
}
