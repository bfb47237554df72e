use crate::support::gateway::order;
use crate::support::stage::journey;

/// The payer passes by the tag on the way to the address.
#[test]
fn the_address_is_shown_after_its_tag() {
    for (currency, network) in [("XRP", "XRP"), ("XLM", "XLM")] {
        journey(async |stage| {
            let page = stage.page();
            let payment = stage.open_and_choose(&order(), currency, network).await;
            page.reload().await;
            let first = page.until("shows the tag", |page| page.shown("tag").is_some()).await;
            assert_eq!(first.value("tag"), payment.destination_tag.as_deref());
            for hidden in ["address", "qr", "open-wallet", "copy-address"] {
                assert!(first.shown(hidden).is_none(), "{hidden} is there before the tag was seen");
            }
            let second = page.note_tag().await;
            assert_eq!(second.packed("address"), payment.wallet_address);
            assert!(second.shown("tag").is_some() && second.shown("qr").is_some());
            // What changes on the page folds nothing.
            page.click("copy-tag").await;
            let copied = page
                .until("says that it is copied", |page| {
                    page.shown("copy-tag").is_some_and(|it| it.text.contains("Copied"))
                })
                .await;
            assert!(copied.shown("address").is_some());
        });
    }
}
