use checkout_core::network::TagRule;
use checkout_core::pair::PAIRS;

use crate::support::extent;
use crate::support::gateway::order;
use crate::support::page::Page;
use crate::support::qr;
use crate::support::stage::journey;

/// The code on the screen is what the page says, and its quiet zone is light.
pub(crate) async fn scan(page: &Page<'_>, place: &str) {
    let drawn = page.until("has a QR code", |page| page.value("qr").is_some()).await;
    let code = qr::scan(page.browser, drawn.value("qr")).await;
    assert_eq!(Some(code.text.as_str()), drawn.value("qr"), "{place}");
    assert!(code.darkest_around > 220, "the quiet zone is not light: {place}");
}

/// With the amount and without it, where there are both. The sample has a third of the pairs, each in one theme.
#[test]
fn every_pair_can_be_scanned_in_every_theme() {
    journey(async |stage| {
        let page = stage.page();
        let pairs: Vec<_> = PAIRS.iter().filter(|pair| pair.deposit).collect();
        for (index, pair) in extent::share(&pairs, 3).into_iter().enumerate() {
            let (currency, network) = (pair.currency.code(), pair.network.code());
            let created = stage.gateway.create(&order());
            page.open(&created.payment_url).await;
            page.choose(currency, network).await;
            let all = ["LIGHT", "DARK"];
            let themes = if extent::is_every_screen() { &all[..] } else { &all[index % 2..][..1] };
            for theme in themes {
                page.open(&created.payment_url.replace("theme=LIGHT", &format!("theme={theme}"))).await;
                page.until_alive().await;
                if pair.network.spec().tag != TagRule::None {
                    page.note_tag().await;
                }
                let shown =
                    page.until("shows the address", |page| page.shown("copy-address").is_some()).await;
                scan(&page, &format!("{currency} on {network}, {theme}")).await;
                if let Some(mode) = shown.value("qr-mode") {
                    page.click("qr-mode").await;
                    page.until("shows the other code", |page| {
                        page.value("qr-mode").is_some_and(|now| now != mode)
                    })
                    .await;
                    scan(&page, &format!("{currency} on {network}, {theme}, not {mode}")).await;
                }
            }
        }
    });
}
