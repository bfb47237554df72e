//! Orders in memory. New orders replace the oldest.

use std::collections::VecDeque;

use super::products::Product;
use parking_lot::Mutex;

const MAX_ORDERS: usize = 1000;

#[derive(Clone)]
pub(super) struct Order {
    /// A random id; it grants access to the order.
    pub(super) id: String,
    /// What customers and the gateway call it.
    pub(super) number: String,
    pub(super) product: &'static Product,
    pub(super) payment_id: String,
    pub(super) payment_url: String,
}

#[derive(Default)]
pub(super) struct Orders(Mutex<VecDeque<Order>>);

impl Orders {
    pub(super) fn add(&self, order: Order) {
        let mut orders = self.0.lock();
        if orders.len() == MAX_ORDERS {
            orders.pop_front();
        }
        orders.push_back(order);
    }

    pub(super) fn find(&self, id: &str) -> Option<Order> {
        self.0.lock().iter().find(|order| order.id == id).cloned()
    }
}

/// A number that is short enough to be read out. The gateway refuses one that it has seen.
pub(super) fn random_number() -> String {
    format!("KC-{:05}", uuid::Uuid::new_v4().as_u128() % 100_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shop::products::PRODUCTS;

    #[test]
    fn new_orders_replace_the_oldest() {
        static PRODUCT: &Product = &PRODUCTS[0];
        let orders = Orders::default();
        for number in 0..=MAX_ORDERS {
            let (payment_id, payment_url) = (String::new(), String::new());
            let (id, order_number) = (number.to_string(), format!("KC-{number}"));
            orders.add(Order { id, number: order_number, product: PRODUCT, payment_id, payment_url });
        }
        assert!(orders.find("0").is_none());
        assert_eq!(orders.find("1").map(|order| order.number).as_deref(), Some("KC-1"));
        assert_eq!(orders.find("1000").map(|order| order.number).as_deref(), Some("KC-1000"));
    }
}
