use crate::support::gateway::order;
use crate::support::merchant::Merchant;
use crate::support::stage::journey;
use crate::support::wait::eventually;

#[test]
fn another_origin_cannot_frame_the_page() {
    journey(async |stage| {
        stage.browser.expect_in_console("frame-ancestors");
        let created = stage.gateway.create(&order());
        let html = format!(
            "<iframe referrerpolicy=no-referrer src='{}'></iframe>",
            created.payment_url.replace('&', "&amp;")
        );
        let stranger = Merchant::open(&html, &[]);
        stage.browser.goto(&stranger.origin).await;
        eventually("the browser refuses the frame", async || {
            stage.browser.read_console().await;
            stage.browser.console.borrow().has("frame-ancestors")
        })
        .await;
        stage.browser.client.enter_frame(Some(0)).await.unwrap();
        assert_eq!(stage.page().look().await.and_then(|page| page.screen), None, "nothing is rendered");
    });
}
