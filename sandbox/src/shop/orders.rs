//! Orders in memory. New orders replace the oldest.

use std::collections::VecDeque;

use super::products::Product;
use parking_lot::Mutex;

const MAX_ORDERS: usize = 1000;

#[derive(Clone)]
pub(super) struct Order {
    /// A random id; it grants access to the order.
    pub(super) id: String,
    pub(super) product: &'static Product,
    pub(super) payment_id: String,
    pub(super) payment_url: String,
}

#[derive(Default)]
pub(super) struct Orders(Mutex<Book>);

#[derive(Default)]
struct Book {
    last_number: u64,
    orders: VecDeque<(u64, Order)>,
}

impl Orders {
    /// Adds the order and returns its number.
    pub(super) fn add(&self, order: Order) -> u64 {
        let mut book = self.0.lock();
        book.last_number += 1;
        let number = 1000 + book.last_number;
        if book.orders.len() == MAX_ORDERS {
            book.orders.pop_front();
        }
        book.orders.push_back((number, order));
        number
    }

    pub(super) fn find(&self, id: &str) -> Option<(u64, Order)> {
        let book = self.0.lock();
        book.orders.iter().find(|(_, order)| order.id == id).cloned()
    }
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
            orders.add(Order { id: number.to_string(), product: PRODUCT, payment_id, payment_url });
        }
        assert!(orders.find("0").is_none());
        assert_eq!(orders.find("1").map(|(number, _)| number), Some(1002));
        assert_eq!(orders.find("1000").map(|(number, _)| number), Some(2001));
    }
}
