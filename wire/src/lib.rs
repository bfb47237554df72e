//! The HTTP contract of the gateway: every resource and request, one file per endpoint; [`rules`]: what the gateway and the page compute alike.
//!
//! Writers are exact. Readers are tolerant: they ignore unknown fields, and a [`Word`] of an answer keeps an unknown value.
//!
//! The doc comment of a field is its description in the OpenAPI document, and its Rust type determines the
//! schema: the types in `texts.rs` have one of their own, and a field whose Rust type is too general names one in `schema.rs`.

pub mod approve;
pub mod checkout_view;
pub mod claim_refund;
pub mod counters;
pub mod create_payment;
pub mod create_withdrawal;
pub mod events;
pub mod fiat;
pub mod get_business;
mod languages;
pub mod list_balances;
pub mod list_callbacks;
pub mod list_currencies;
pub mod list_deposits;
pub mod list_ledger;
pub mod list_payment_deposits;
pub mod list_payments;
pub mod list_quotes;
pub mod list_rates;
pub mod list_withdrawals;
pub mod manage_businesses;
pub mod metadata;
#[cfg(feature = "schema")]
pub mod page_query;
pub mod payment;
pub mod problem;
pub mod refunds;
pub mod rules;
pub mod sale_links;
pub mod sandbox;
#[cfg(feature = "schema")]
pub mod schema;
pub mod send_wallet_transaction;
pub mod texts;
pub mod update_payment;
pub mod validate_address;
pub mod wallet_page;
pub mod whitelist_address;
pub mod withdraw_fees;
pub mod words;

pub use approve::Approve;
pub use create_withdrawal::Withdrawal;
pub use get_business::{Business, Theme};
pub use languages::LOCALES;
pub use payment::{Deposit, DepositStatus, Payment, PaymentStatus, PaymentType, RateType, Refund};
pub use problem::{FieldError, Problem};
pub use refunds::ListedRefund;
pub use words::Word;

/// The longest `clientPaymentId`, `clientWithdrawalId`, `clientRefundId`, `clientAddressId` and `clientLinkId`, in characters.
pub const MAX_CLIENT_ID: usize = 255;

/// The longest `label` of an address, in characters.
pub const MAX_LABEL: usize = 255;

/// The longest `title` of a sale link, in characters.
pub const MAX_TITLE: usize = 120;

/// Characters of a payment's description.
pub const MAX_DESCRIPTION: usize = 500;

/// One year. Longer windows indicate a wrong unit.
pub const MAX_EXPIRATION_MINUTES: u64 = 525_600;
