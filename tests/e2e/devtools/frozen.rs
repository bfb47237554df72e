use std::time::Duration;

use tokio::time::sleep;

use crate::support::gateway::order;
use crate::support::stage::journey;

const RECOVERY: Duration = Duration::from_secs(5);

#[test]
fn a_frozen_page_catches_up() {
    journey(async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(&order(), "BTC", "BTC").await;
        let state = async |state: &str| {
            stage.browser.devtools("Page.setWebLifecycleState", serde_json::json!({"state": state})).await;
        };
        state("frozen").await;
        stage.gateway.pay(&payment);
        sleep(Duration::from_secs(8)).await;
        state("active").await;
        page.within(RECOVERY, "has caught up", |page| page.is("seen")).await;
    });
}
