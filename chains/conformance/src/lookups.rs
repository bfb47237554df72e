//! A transaction that a payer looks up.

use std::time::{Duration, Instant};

use checkout_core::{Amount, pair};
use checkout_domain::chain::found::FoundTransaction;
use checkout_domain::ports::chain::Chain;
use checkout_test_support::patience;

use crate::TestChain;
use crate::transfers::given;

pub(crate) async fn found_by_its_id(test: &dyn TestChain) {
    let chain = test.chain();
    let unknown = chain.network().spec().transaction_id.write(&"07".repeat(32));
    assert_eq!(chain.look_up(&unknown).await.expect("it answers"), None);

    let address = given(test, 50).await;
    let (to, tag) = address.split_once("?dt=").map_or((&*address, None), |(to, tag)| (to, Some(tag)));
    let check = |found: &FoundTransaction| {
        let mut ours = found.transfers.iter().filter(|paid| paid.to == to);
        let (Some(transfer), None) = (ours.next(), ours.next()) else { panic!("{found:?} pays {to} once") };
        let pair = pair::find(transfer.currency, chain.network()).expect("a pair of the network");
        let amount = Amount::parse("0.25", pair.decimals).expect("an amount");
        assert_eq!((transfer.amount, transfer.tag.as_deref()), (amount, tag), "{found:?}");
        assert!(!found.failed, "{found:?}");
    };
    let sent = test.send(&[(address.clone(), "0.25")]).await;
    if !test.reports_only_what_stays() {
        let seen = until(chain, &sent[0], test.blocks_when_seen()).await;
        check(&seen);
        assert!(seen.confirmations <= 1, "{seen:?} was just sent");
    }
    let required = chain.required_confirmations();
    test.mine(required.try_into().expect("a small number")).await;
    check(&until(chain, &sent[0], required).await);
}

/// Looks up until it has the confirmations.
async fn until(chain: &dyn Chain, id: &str, confirmations: u64) -> FoundTransaction {
    let started = Instant::now();
    loop {
        let found = chain.look_up(id).await.expect("it answers");
        if let Some(found) = found.as_ref().filter(|found| found.confirmations >= confirmations) {
            return found.clone();
        }
        assert!(started.elapsed() < patience(), "{id}: {found:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
