use crate::support::asking::asks_for;
use crate::support::gateway::order;
use crate::support::stage::journey;

#[test]
fn a_reload_keeps_the_state() {
    journey(async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(&order(), "BTC", "BTC").await;
        let before = page.until_screen("pay").await;
        let left = before.countdown().expect("a countdown");
        let query = before.url.split('#').next().unwrap();
        assert!(
            query.contains("sessionToken"),
            "the URL still has the token, so the server renders the page again: {query}"
        );

        page.reload().await;
        let after = page.until_screen("pay").await;
        asks_for(&after, &payment);
        let now = after.countdown().expect("a countdown");
        assert!((left - 60..=left).contains(&now), "{left} s before the reload, {now} s after it");

        stage.gateway.pay(&payment);
        page.until_screen("seen").await;
        page.reload().await;
        page.until_screen("seen").await;

        stage.gateway.mine(&payment);
        page.until_screen("paid").await;
        page.reload().await;
        page.until_screen("paid").await;
    });
}
