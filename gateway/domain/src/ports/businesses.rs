//! Businesses in the store.

use async_trait::async_trait;

use super::Stored;
use crate::business::Business;
use crate::business::brand_color::BrandColor;
use crate::business::logo::Logo;
use crate::ids::{BusinessId, PaymentId};
use crate::page::Page;

/// The settings of a payment's page that are not of the payment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageTerms {
    /// Origins that may frame the page.
    pub allowed_origins: Vec<String>,
    pub brand_color: Option<BrandColor>,
    /// File name of the logo.
    pub logo: Option<String>,
}

#[async_trait]
pub trait BusinessStore: Send + Sync {
    async fn business(&self, id: BusinessId) -> Stored<Option<Business>>;

    /// In order of creation.
    async fn businesses(&self) -> Stored<Vec<Business>>;

    /// A page of all, by id.
    async fn business_page(&self, page: &Page) -> Stored<Vec<Business>>;

    /// The secrets that sign the callbacks of a business at `now`, the current one first.
    async fn signing_secrets(&self, business: &Business, now: u64) -> Stored<Vec<String>>;

    /// Those of the payment's business.
    async fn page_terms(&self, payment: PaymentId) -> Stored<Option<PageTerms>>;

    /// The image of this file name, if it is the logo of a business.
    async fn logo(&self, file: &str) -> Stored<Option<Vec<u8>>>;
}

#[async_trait]
pub trait BusinessTx: Send {
    /// Locks the business: no other transaction changes it until the end of this one.
    async fn business(&mut self, id: BusinessId) -> Stored<Option<Business>>;

    async fn put_business(&mut self, business: &Business) -> Stored<()>;

    /// Replaces the image of the business's logo, or removes it.
    async fn put_logo(&mut self, business: BusinessId, logo: Option<&Logo>) -> Stored<()>;

    /// Replaces the signing secret; the old one also signs until `until`. Returns false if the business does
    /// not exist.
    async fn rotate_secret(&mut self, business: BusinessId, secret: &str, until: u64) -> Stored<bool>;
}
