//! Lists are in order of creation.

use std::sync::Arc;

use axum::http::StatusCode;
use checkout_domain::ports::Clock;
use checkout_gateway::service::App;
use serde_json::json;

use super::{START, World, router};

/// An hour behind the clock of the test.
struct SetBack;

impl Clock for SetBack {
    fn now_millis(&self) -> u64 {
        (START - 3600) * 1000
    }
}

impl World {
    async fn add(&self, id: &str) {
        let address = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
        let body = json!({"clientAddressId": id, "currency": "BTC", "network": "BTC", "address": address});
        let made = self.post("/whitelist-addresses", &self.token, &body).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.json);
    }

    async fn listed(&self) -> Vec<String> {
        let path = "/whitelist-addresses?descending=false&limit=100";
        let answer = self.get(path, &self.token).await;
        let entries = answer.json.as_array().unwrap().iter();
        entries.map(|entry| entry["clientAddressId"].as_str().unwrap().to_owned()).collect()
    }
}

#[tokio::test]
async fn addresses_of_one_millisecond_are_in_order() {
    let world = World::new().await;
    let ids: Vec<String> = (0..60).map(|number| format!("a-{number}")).collect();
    for id in &ids {
        world.add(id).await;
    }
    assert_eq!(world.listed().await, ids);
}

#[tokio::test]
async fn addresses_are_in_order_after_a_clock_change_and_a_restart() {
    let world = World::new().await;
    world.add("first").await;
    let mut world = world.restart().await;
    world.add("second").await;
    let set_back = App { clock: Arc::new(SetBack), ..App::clone(&world.app) };
    world.router = router(&Arc::new(set_back), &world.simulated);
    world.add("third").await;
    let mut world = world.restart().await;
    let set_back = App { clock: Arc::new(SetBack), ..App::clone(&world.app) };
    world.router = router(&Arc::new(set_back), &world.simulated);
    world.add("fourth").await;
    assert_eq!(world.listed().await, ["first", "second", "third", "fourth"]);
}
