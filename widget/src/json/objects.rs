//! The types with fields or words of their own.

use checkout_wire::checkout_view::{CheckoutView, DepositOption, TestNetwork, Transfer};
use checkout_wire::claim_refund::RefundClaim;
use checkout_wire::payment::{Deposit, Payment, Refund};
use checkout_wire::texts::{
    AmountText, BusinessId, ClientId, CurrencyCode, DepositId, FiatCode, Locale, NetworkCode, PaymentId,
    RefundId, Url,
};
use checkout_wire::update_payment::UpdatedPayment;
use serde_json::Value;

use super::{Fields, Read};
use crate::host::HostMessage;
use crate::page_data::{Found, LanguageData, PageData};

macro_rules! texts {
    ($($name:ident)+) => {$(
        impl Read for $name {
            fn read(value: Option<Value>, wrong: &mut bool) -> Self {
                String::read(value, wrong).into()
            }
        }
    )+};
}

texts! { AmountText BusinessId ClientId CurrencyCode DepositId FiatCode Locale NetworkCode PaymentId RefundId Url }

/// `or`: fields that have a default. `not`: fields that are not read.
macro_rules! objects {
    ($($name:ident {
        $($field:ident),+
        $(; or $($default:ident),+)?
        $(; not $($unread:ident),+)?
    })+) => {$(
        impl Read for $name {
            fn read(value: Option<Value>, wrong: &mut bool) -> Self {
                let mut fields = Fields::of(value, wrong);
                Self {
                    $($field: fields.take(stringify!($field)),)+
                    $($($default: fields.take_or_default(stringify!($default)),)+)?
                    $($($unread: Default::default(),)+)?
                }
            }
        }
    )+};
}

objects! {
    PageData { server_time, found, language }
    LanguageData { tag, texts }
    HostMessage { protocol, version, instance, kind; not origin }
    UpdatedPayment { payment_info, rate }
    CheckoutView {
        payment, remaining_amount, rate, merchant_name, support_url, options;
        or version, transfers, transfer_vanished, claims, allowed_origins, sandbox, test_networks
    }
    TestNetwork { network, name, chain_id; or own_addresses }
    Transfer { deposit_id, network, confirmations, required_confirmations; or follow_up }
    DepositOption { currency, network, estimated_amount, required_confirmations, usual_fee }
    Payment {
        payment_id, client_payment_id, business_id, status, kind, rate_type, processor_type, locale,
        display_currency, deposit_currency, expected_network, expected_deposit_amount,
        expected_display_amount, expected_uniform_amount, actual_deposit_amount, actual_display_amount,
        actual_uniform_amount, expiration_minutes, payment_initiated_at, payment_requested_at,
        wallet_address, deposits, deposits_url, redirect_url, overpayment_policy,
        refund_follow_up_deposits_for_one_time_payments, destination_tag, cancelled_at, accepted_at;
        not description, metadata, refunds
    }
    Deposit {
        id, deposit_amount, deposit_currency, deposit_received_at, display_amount, display_currency,
        being_valued, status, confirmations, required_confirmations, from_address, to_address,
        transaction_id, on_chain_fee, hold, refund
    }
    Refund {
        kind, status, reason, amount, fee, display_currency, display_amount, display_fee, transaction_id,
        confirmed_at, waiting_for, waiting_reason
    }
    RefundClaim {
        claim_id, deposit_id, status, currency, network, amount, fee, sender, address, memo_type, reason,
        transaction_id
    }
}

impl Read for Found {
    fn read(value: Option<Value>, wrong: &mut bool) -> Self {
        match &value {
            Some(Value::String(word)) if word == "nothing" => Self::Nothing,
            Some(Value::String(word)) if word == "unavailable" => Self::Unavailable,
            _ => Self::View(Fields::of(value, wrong).take("view")),
        }
    }
}
