//! A merchant's endpoint for callbacks, which have to follow the document.

use std::ops::Deref;

use super::contract;

pub(super) use checkout_test_nodes::{Answer, Received};

#[derive(Clone)]
pub(super) struct Inbox(checkout_test_nodes::Inbox);

impl Inbox {
    pub(super) fn open() -> Self {
        Self(checkout_test_nodes::Inbox::open())
    }

    pub(super) fn received(&self) -> Vec<Received> {
        let received = self.0.received();
        for one in &received {
            contract::check_callback(&one.json());
        }
        received
    }
}

impl Deref for Inbox {
    type Target = checkout_test_nodes::Inbox;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}
