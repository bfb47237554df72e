use crate::support::frame;
use crate::support::gateway::order;
use crate::support::merchant::Merchant;
use crate::support::places;
use crate::support::stage::journey;
use crate::support::wait::eventually;

/// `examples/iframe.html`, on the merchant's page.
#[test]
fn a_page_embeds_the_checkout_without_embed_js() {
    journey(async |stage| {
        let browser = stage.browser;
        let example = std::fs::read_to_string(places::example("iframe.html")).expect("the example is there");
        let (listener, origin) = Merchant::reserve();
        stage.gateway.become_business(&["--origin", &origin]);
        let created = stage.gateway.create(&order());
        let url = format!("src=\"{}\"", created.payment_url.replace('&', "&amp;"));
        let merchant = Merchant::open_at(listener, &example.replace("src=\"{{paymentUrl}}\"", &url));

        browser.goto(&merchant.origin).await;
        frame::enter(browser, "document.getElementById('checkout')").await;
        let page = stage.page();
        page.until_screen("choose").await;
        page.choose("BTC", "BTC").await;
        // Another page in the same frame.
        page.click("locale").await;
        page.click_on("[data-locale=de-DE]").await;
        page.until("is in German", |page| page.text.contains("Senden Sie nur BTC")).await;
        browser.top().await;

        let payment = stage.gateway.payment(&created.payment_info.payment_id);
        stage.gateway.pay(&payment);
        stage.gateway.mine(&payment);
        let script = "return document.getElementById('status').textContent";
        eventually("the merchant's page shows that the payment is complete", async || {
            browser.run(script, vec![]).await == "Thank you. The payment is complete."
        })
        .await;
        let height = browser.run("return document.getElementById('checkout').style.height", vec![]).await;
        assert!(
            height.as_str().is_some_and(|height| height.ends_with("px")),
            "the frame has the height of its content: {height}"
        );
    });
}
