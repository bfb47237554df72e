//! The HTTP contract: every resource and request, once, one file per endpoint.
//!
//! Writers are exact. Readers are tolerant: unknown fields are ignored, unknown status values kept.

pub mod checkout_view;
pub mod create_payment;
pub mod create_withdrawal;
pub mod get_business;
pub mod list_currencies;
pub mod list_rates;
pub mod payment;
pub mod problem;
pub mod sandbox;
pub mod update_payment;
pub mod validate_address;
pub mod whitelist_address;
pub mod withdraw_fees;
mod words;

pub use create_withdrawal::Withdrawal;
pub use get_business::Business;
pub use payment::{Deposit, DepositStatus, Payment, PaymentStatus, PaymentType, RateType, Refund};
pub use problem::{FieldError, Problem};

/// The locales of the hosted checkout.
pub const LOCALES: [&str; 8] = ["en-US", "de-DE", "tr-TR", "es-ES", "fr-FR", "ru-RU", "pt-PT", "ja-JP"];
