use std::sync::Arc;

use checkout_chain_conformance::account_suite::AccountSuite;
use checkout_chain_conformance::{Numbers, Payer};
use checkout_chain_stellar::{Key, PayoutSettings, StellarBroadcaster};

use super::{OURS, PAYER, World, node};

#[tokio::test]
async fn the_suite_of_all_chains() {
    let account = World::new().await;
    let key = Key::from_seed("SAAZIQLXORXE4VVQ5CHS4BU2LTVOWYWLATOZAHDFPGIRDL6A4RNONRS3").unwrap();
    {
        let mut ledger = account.server.ledger();
        let memo = ("config.memo_required".to_owned(), "MQ==".to_owned());
        ledger.accounts.get_mut(OURS).unwrap().data.extend([memo]);
        ledger.fund(&key.account(), 1_000_000_000);
        ledger.fund(PAYER, 50_000_000);
    }
    let (node, numbers) = (node(&account.server.url), Arc::new(Numbers::default()));
    let broadcaster =
        StellarBroadcaster::new(node, key, Arc::clone(&numbers) as _, PayoutSettings::default());
    let payer = Payer { broadcaster, numbers };
    checkout_chain_conformance::all(&AccountSuite { account, payer, sends_one_at_a_time: true }).await;
}
