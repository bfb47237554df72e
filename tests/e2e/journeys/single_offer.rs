use crate::support::asking::asks_for;
use crate::support::engine::Engine;
use crate::support::gateway::order;
use crate::support::stage::{Stage, journey};

/// A merchant who starts with one currency.
#[test]
fn a_single_offer_needs_no_choice() {
    journey(async |stage| pays(stage).await);
}

pub(crate) async fn pays(stage: &mut Stage<'_>) {
    stage.gateway.become_business(&["--deposit-currencies", "LTC"]);
    let created = stage.open(&order()).await;
    let page = stage.page();
    if stage.browser.engine == Engine::WebKit {
        // It does not tell that a person opened the page, so the offer is a button.
        page.choose("LTC", "LTC").await;
    }
    let pay = page.until_screen("pay").await;
    let payment = stage.gateway.payment(&created.payment_info.payment_id);
    asks_for(&pay, &payment);
    stage.gateway.pay(&payment);
    stage.gateway.mine(&payment);
    page.until_screen("paid").await;
}
