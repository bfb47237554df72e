use crate::support::asking::asks_for;
use crate::support::gateway::order;
use crate::support::stage::journey;

#[test]
fn the_currency_can_be_changed_until_a_transfer() {
    journey(async |stage| {
        let page = stage.page();
        let first = stage.open_and_choose(&order(), "ETH", "BSC").await;
        asks_for(&page.until_screen("pay").await, &first);
        page.click("change-currency").await;
        page.choose("BCH", "BCH").await;
        let second = stage.gateway.payment(&first.payment_id);
        assert_eq!(second.deposit_currency.as_deref(), Some("BCH"));
        asks_for(&page.until_screen("pay").await, &second);

        stage.gateway.pay(&second);
        let seen = page.until_screen("seen").await;
        assert!(seen.shown("change-currency").is_none(), "too late to choose");
    });
}
