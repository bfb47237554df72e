//! Entries of chains that could not be read.

use checkout_core::Network;
use checkout_domain::chain::set_aside::{SetAside, SetAsideRecord, pause};
use checkout_domain::ports::set_aside::SetAsideStore as _;

use super::stage::{NOW, Stage};

fn entry(transaction: &str, part: &str, block: &str) -> SetAside {
    SetAside {
        network: Network::Eth,
        transaction: transaction.to_owned(),
        part: part.to_owned(),
        height: 7,
        block: block.to_owned(),
        why: "no receipt".to_owned(),
    }
}

/// The open entries: transaction, part, block, tries.
async fn open(stage: &Stage) -> Vec<(String, String, String, u32)> {
    let records = stage.store.set_aside(10).await.unwrap();
    let parts = |record: SetAsideRecord| {
        (record.entry.transaction, record.entry.part, record.entry.block, record.tries)
    };
    records.into_iter().map(parts).collect()
}

async fn due(stage: &Stage, now: u64) -> usize {
    stage.store.due_again(Network::Eth, now, 10).await.unwrap().len()
}

pub(super) async fn entries(stage: &Stage) {
    let shown = |of: &SetAside, tries| (of.transaction.clone(), of.part.clone(), of.block.clone(), tries);
    let (log, trace) = (entry("a", "log 1", "x"), entry("a", "trace", "x"));
    let whole = SetAside { network: Network::Xrp, ..entry("b", "", "") };
    let mut tx = stage.begin().await;
    tx.set_aside(&[log.clone(), trace.clone()], NOW).await.unwrap();
    tx.set_aside(std::slice::from_ref(&whole), NOW + 1).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(open(stage).await, [shown(&log, 0), shown(&trace, 0), shown(&whole, 0)]);
    assert_eq!(stage.store.count_set_aside().await.unwrap(), [(Network::Eth, 2), (Network::Xrp, 1)]);
    let first = NOW + pause(0).unwrap();
    assert_eq!((due(stage, first - 1).await, due(stage, first).await), (0, 2));

    let mut tx = stage.begin().await;
    tx.read_failed(&log, "still none", Some(NOW + 100)).await.unwrap();
    tx.read_failed(&trace, "still none", None).await.unwrap();
    tx.settle_read(Network::Eth, &["a"], NOW).await.unwrap();
    tx.settle_read(Network::Xrp, &["b", "c"], NOW).await.unwrap();
    assert!(!tx.settle(&entry("a", "log 1", "y"), NOW).await.unwrap(), "of another block");
    tx.commit().await.unwrap();
    assert_eq!(open(stage).await, [shown(&log, 1), shown(&trace, 1)], "only whole transactions were read");
    assert_eq!((due(stage, NOW + 99).await, due(stage, NOW + 100).await), (0, 1));

    // Set aside again: in the same block it has been tried as often, in another one it is new.
    let moved = entry("a", "trace", "y");
    let mut tx = stage.begin().await;
    tx.set_aside(&[log.clone(), moved.clone()], NOW).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(open(stage).await, [shown(&log, 1), shown(&moved, 0)]);

    let mut tx = stage.begin().await;
    assert!(tx.settle(&log, NOW).await.unwrap());
    assert!(!tx.settle(&log, NOW).await.unwrap(), "it is settled");
    assert_eq!(tx.read_at_once("a", NOW - 5).await.unwrap(), 1);
    tx.commit().await.unwrap();
    assert_eq!(due(stage, NOW - 5).await, 1);

    let mut tx = stage.begin().await;
    assert_eq!(tx.dismiss("b", NOW).await.unwrap(), 0);
    assert_eq!(tx.dismiss("a", NOW).await.unwrap(), 1);
    tx.commit().await.unwrap();
    assert_eq!((open(stage).await, stage.store.count_set_aside().await.unwrap()), (vec![], vec![]));

    // One that is not read again by itself, and not listed twice.
    let unknown = entry("c", "", "");
    assert!(stage.store.report_unknown(&unknown, NOW).await.unwrap());
    assert!(!stage.store.report_unknown(&unknown, NOW).await.unwrap());
    assert_eq!((open(stage).await, due(stage, NOW + 9_000).await), (vec![shown(&unknown, 0)], 0));
    let mut tx = stage.begin().await;
    assert!(tx.settle(&unknown, NOW).await.unwrap());
    tx.commit().await.unwrap();
    assert!(open(stage).await.is_empty());

    // Unknown again, also one that could not be read at first; but not one that an operator dismissed.
    for before in [unknown.clone(), entry("d", "", "x")] {
        let unknown = SetAside { block: String::new(), height: 0, ..before.clone() };
        let mut tx = stage.begin().await;
        tx.set_aside(std::slice::from_ref(&before), NOW).await.unwrap();
        tx.settle_read(Network::Eth, &[&before.transaction], NOW).await.unwrap();
        tx.commit().await.unwrap();
        assert!(stage.store.report_unknown(&unknown, NOW).await.unwrap());
        assert_eq!((open(stage).await, due(stage, NOW + 9_000).await), (vec![shown(&unknown, 0)], 0));
        let mut tx = stage.begin().await;
        assert_eq!(tx.dismiss(&unknown.transaction, NOW).await.unwrap(), 1);
        tx.commit().await.unwrap();
        assert!(!stage.store.report_unknown(&unknown, NOW).await.unwrap());
        assert!(open(stage).await.is_empty());
    }
}
