use checkout_wire::create_payment::CreatePayment;

use crate::support::gateway::order;
use crate::support::merchant::Merchant;
use crate::support::stage::journey;

#[test]
fn the_payer_is_redirected_to_the_merchant() {
    journey(async |stage| {
        let merchant = Merchant::open("<title>Thanks</title><h1>Welcome back</h1>", &[]);
        let target = format!("{}/thanks?order=7", merchant.origin);
        let order = CreatePayment { redirect_url: Some(target.clone().into()), ..order() };
        let page = stage.page();
        let payment = stage.open_and_choose(&order, "BTC", "BTC").await;
        stage.gateway.pay(&payment);
        page.until_screen("seen").await;
        assert!(!merchant.visits().contains(&"/thanks?order=7".to_owned()), "not before it is paid");
        stage.gateway.mine(&payment);
        let paid = page.until_screen("paid").await;
        assert!(paid.shown("return").is_some(), "a button to return sooner");
        page.until("is the merchant's page", |page| page.url == target).await;
        assert_eq!(merchant.visits().iter().filter(|visit| *visit == "/thanks?order=7").count(), 1, "once");
    });
}

#[test]
fn the_payer_can_return_sooner() {
    journey(async |stage| {
        let merchant = Merchant::open("<title>Thanks</title><h1>Welcome back</h1>", &[]);
        let target = format!("{}/now", merchant.origin);
        let order = CreatePayment { redirect_url: Some(target.clone().into()), ..order() };
        let page = stage.page();
        let payment = stage.open_and_choose(&order, "XLM", "XLM").await;
        stage.gateway.pay(&payment);
        stage.gateway.mine(&payment);
        page.until_screen("paid").await;
        page.click("return").await;
        page.until("is the merchant's page", |page| page.url == target).await;
    });
}
