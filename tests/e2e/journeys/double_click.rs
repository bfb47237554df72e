//! A double click on a currency chooses the currency, and not the network that appears below the pointer.

use std::time::Duration;

use fantoccini::Locator;
use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use tokio::time::sleep;

use crate::support::gateway::order;
use crate::support::stage::{Stage, journey};

/// The usual time between the two clicks.
const BETWEEN: Duration = Duration::from_millis(120);

/// Presses twice on the same place.
async fn double_click(stage: &Stage<'_>, selector: &str) {
    let element = stage.browser.client.find(Locator::Css(selector)).await.expect("it is there");
    let actions = MouseActions::new("mouse".to_owned())
        .then(PointerAction::MoveToElement { element, duration: None, x: 0.0, y: 0.0 })
        .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
        .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT })
        .then(PointerAction::Pause { duration: BETWEEN })
        .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
        .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
    stage.browser.client.perform_actions(actions).await.expect("a driver has a pointer");
}

/// On the page that the server draws, and on the live one.
pub(crate) async fn chooses_no_network(stage: &Stage<'_>, live: bool) {
    let page = stage.page();
    for currency in ["USDT", "USDC"] {
        let created = stage.gateway.create(&order());
        page.open(&created.payment_url).await;
        page.until_screen("choose").await;
        if live {
            stage.browser.until_live().await;
        } else {
            sleep(Duration::from_secs(1)).await;
        }
        double_click(stage, &format!("[data-part=currency][data-value={currency}]")).await;
        page.until("offers the networks", |page| page.shown("network").is_some()).await;
        // A network that was chosen would be answered by now.
        sleep(Duration::from_millis(1_500)).await;
        let seen = page.until_screen("choose").await;
        assert!(seen.shown("network").is_some(), "{currency}: {seen:#?}");
        let payment = stage.gateway.payment(&created.payment_info.payment_id);
        assert_eq!(payment.deposit_currency, None, "{currency} on {:?}", payment.expected_network);
        // After the half second, presses count.
        page.click("network").await;
        page.until_screen("pay").await;
    }
}

#[test]
fn a_double_click_on_a_currency_does_not_choose_its_network() {
    journey(async |stage| chooses_no_network(stage, true).await);
}
