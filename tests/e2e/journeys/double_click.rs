//! A double click on a currency chooses the currency, and not the network that appears below the pointer.

use std::time::Duration;

use checkout_wire::create_payment::CreatedPayment;
use fantoccini::Locator;
use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use tokio::time::sleep;

use crate::support::browser::Browser;
use crate::support::gateway::order;
use crate::support::stage::{Stage, journey};

/// The usual time between the two clicks.
const BETWEEN: Duration = Duration::from_millis(120);

/// Keeps the times of the clicks.
const LISTEN: &str = "window.clicks = []; \
    addEventListener('click', (event) => window.clicks.push(event.timeStamp), true)";

/// Presses twice on the same place. Returns whether that was a double click, unless the page has no script to tell: on a
/// busy machine more time can pass between the two.
pub(crate) async fn double_click(browser: &Browser, selector: &str, live: bool) -> bool {
    let client = &browser.client;
    if live {
        client.execute(LISTEN, vec![]).await.expect("the page listens");
    }
    let element = client.find(Locator::Css(selector)).await.expect("it is there");
    let actions = MouseActions::new("mouse".to_owned())
        .then(PointerAction::MoveToElement { element, duration: None, x: 0, y: 0 })
        .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
        .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT })
        .then(PointerAction::Pause { duration: BETWEEN })
        .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
        .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
    client.perform_actions(actions).await.expect("a driver has a pointer");
    let is_double = "const [first, second] = window.clicks; return second - first < 500";
    !live || client.execute(is_double, vec![]).await.expect("it has listened") == true
}

/// Opens a payment and presses twice on a currency.
async fn open_and_double_click(stage: &Stage<'_>, currency: &str, live: bool) -> CreatedPayment {
    for _ in 0..10 {
        let created = stage.open(&order()).await;
        stage.page().until_screen("choose").await;
        if live {
            stage.browser.until_live().await;
        } else {
            sleep(Duration::from_secs(1)).await;
        }
        if double_click(stage.browser, &format!("[data-part=currency][data-value={currency}]"), live).await {
            return created;
        }
    }
    panic!("the machine is too busy for a double click");
}

/// On the page that the server draws, and on the live one.
pub(crate) async fn chooses_no_network(stage: &Stage<'_>, live: bool) {
    let page = stage.page();
    for currency in ["USDT", "USDC"] {
        let created = open_and_double_click(stage, currency, live).await;
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

/// The first click, and one that is made right after it and handled later, as on a phone that stands still. `frame` is
/// when the browser paints.
const CLICK_LATE: &str = "const [handled, frame, done] = arguments;
    const paint = window.requestAnimationFrame;
    if (frame) window.requestAnimationFrame = (callback) => setTimeout(() => paint(callback), frame);
    document.querySelector('[data-part=currency][data-value=USDT]').click();
    const late = new MouseEvent('click', { bubbles: true, cancelable: true });
    setTimeout(() => {
      const click = frame ? new MouseEvent('click', { bubbles: true, cancelable: true }) : late;
      document.querySelector('[data-part=network]').dispatchEvent(click);
      done();
    }, handled);";

/// The page takes the time of the click from the browser, and the time of the paint.
#[test]
fn a_click_that_is_handled_late_or_before_the_paint_chooses_no_network() {
    journey(async |stage| {
        let page = stage.page();
        for (handled, frame) in [(900, 0), (1_200, 2_000)] {
            let created = stage.gateway.create(&order());
            page.open(&created.payment_url).await;
            page.until_screen("choose").await;
            stage.browser.until_live().await;
            let times = vec![handled.into(), frame.into()];
            stage.browser.client.execute_async(CLICK_LATE, times).await.expect("both clicks are made");
            sleep(Duration::from_secs(1)).await;
            let seen = page.until_screen("choose").await;
            assert!(seen.shown("network").is_some(), "{handled}, {frame}: {seen:#?}");
            page.click("network").await;
            page.until_screen("pay").await;
        }
    });
}
