use crate::support::browser::{DESKTOP, PHONE, Scheme};
use crate::support::gateway::order;
use crate::support::qr;
use crate::support::screenshot::whole_page;
use crate::support::stage::journey;

#[test]
fn every_code_can_be_scanned_from_every_screen() {
    journey(async |stage| {
        let page = stage.page();
        for (currency, network) in [("BTC", "BTC"), ("ETH", "ETH"), ("XLM", "XLM")] {
            let created = stage.gateway.create(&order());
            page.open(&created.payment_url.replace("theme=LIGHT", "theme=AUTO")).await;
            page.choose(currency, network).await;
            let drawn = page.until("has a QR code", |page| page.value("qr").is_some()).await;
            for viewport in [PHONE, DESKTOP] {
                for scheme in Scheme::BOTH {
                    stage.browser.view(viewport).await;
                    stage.browser.prefer(scheme).await;
                    let code = qr::read(&whole_page(stage.browser).await);
                    let place = format!("{currency}, {} px, {}", viewport.width, scheme.word());
                    assert_eq!(Some(code.text.as_str()), drawn.value("qr"), "{place}");
                    assert!(code.darkest_around > 220, "something is in the quiet zone: {place}");
                }
            }
        }
    });
}
