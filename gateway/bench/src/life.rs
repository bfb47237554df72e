//! Whole payments: requested, quoted, paid on the simulated chain, confirmed and reported to the sandbox's inbox.

use std::time::Duration;

use serde_json::{Value, json};

use crate::subject::Gateway;

/// Payments whose transfers are in one block.
const BLOCK: usize = 50;

pub(crate) async fn live(gateway: &Gateway, payments: usize) {
    let mut paths = Vec::new();
    for number in 0..payments {
        let path = gateway.payment(&format!("life-{number}")).await;
        let (payment, _) = gateway.call("GET", &path, &Value::Null).await;
        let transfer = json!({
            "network": "BTC", "currency": "BTC", "address": payment["walletAddress"],
            "amount": payment["expectedDepositAmount"],
        });
        gateway.call("POST", "/sandbox/transfers", &transfer).await;
        if number % BLOCK == BLOCK - 1 || number + 1 == payments {
            gateway.call("POST", "/sandbox/blocks", &json!({"network": "BTC", "count": 1})).await;
        }
        paths.push(path);
    }
    for path in paths {
        while gateway.call("GET", &path, &Value::Null).await.0["status"] != "DEPOSITED" {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}
