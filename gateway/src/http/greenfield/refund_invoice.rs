//! `POST /api/v1/stores/{storeId}/invoices/{invoiceId}/refund`: a refund that waits for the payer's address, in the form of a pull payment.

use axum::Json;
use axum::extract::State;
use checkout_core::Currency;
use checkout_domain::payment::{PaymentWithDeposits, status};
use checkout_wire::FieldError;
use checkout_wire::refunds::RefundState;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::given::Given;
use super::shop::{Shop, ShopInvoice};
use crate::greenfield::{kept, methods};
use crate::http::Shared;
use crate::http::auth::Withdraw;
use crate::http::problem::Refusal;
use crate::service::App;
use crate::service::payments::create_payment::payment_url;
use crate::service::refunds::refund_payment;
use crate::service::refunds::refund_request::RefundRequest;
use crate::service::request_hash::hash;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewRefund {
    name: Option<String>,
    description: Option<String>,
    #[serde(alias = "paymentMethod")]
    payout_method_id: Option<String>,
    refund_variant: Option<String>,
    subtract_percentage: Option<Box<RawValue>>,
    custom_amount: Option<Box<RawValue>>,
    custom_currency: Option<String>,
}

/// Seconds in which the same words are the same request, sent again. Afterwards they may be another refund, which nobody may take for made.
const REPEATED: u64 = 600;

pub(super) fn invalid(field: &str, detail: &str) -> Refusal {
    Refusal::invalid(vec![FieldError::of(field, "unsupported", detail)])
}

/// The amount in coins, or the one in the currency of the price; neither for all that arrived.
type Amounts = (Option<String>, Option<String>);

impl NewRefund {
    fn amounts(&self, record: &PaymentWithDeposits) -> Result<Amounts, Refusal> {
        let fiat = record.payment.display_currency;
        match self.refund_variant.as_deref() {
            Some("RateThen") => Ok((None, None)),
            Some("CurrentRate" | "Fiat") => Ok((None, Some(fiat.text(status::actual(record).display)))),
            Some("Custom") => {
                let amount = self.custom_amount.as_ref().and_then(|raw| kept::text(raw));
                let amount = Some(amount.ok_or_else(|| invalid("customAmount", "is required"))?);
                match self.custom_currency.as_deref() {
                    Some(code) if code == fiat.code() => Ok((None, amount)),
                    Some(code) if code.parse::<Currency>().is_ok() => Ok((amount, None)),
                    _ => Err(invalid("customCurrency", "must be that of the invoice, or that of a payment")),
                }
            }
            Some("OverpaidAmount") => Err(invalid(
                "refundVariant",
                "cannot be OverpaidAmount: what is beyond the price is refunded by itself, or credited, as the business is set",
            )),
            _ => Err(invalid("refundVariant", "must be RateThen, CurrentRate, Fiat or Custom")),
        }
    }

    /// An amount in the currency of the price, or in coins.
    pub(super) fn custom(
        name: String,
        description: Option<String>,
        amount: Box<RawValue>,
        currency: String,
    ) -> Self {
        Self {
            name: Some(name),
            description,
            payout_method_id: None,
            refund_variant: Some("Custom".to_owned()),
            subtract_percentage: None,
            custom_amount: Some(amount),
            custom_currency: Some(currency),
        }
    }

    fn request(&self, record: &PaymentWithDeposits) -> Result<RefundRequest, Refusal> {
        let percentage = self.subtract_percentage.as_ref().and_then(|raw| kept::text(raw));
        if percentage.is_some_and(|text| text.bytes().any(|byte| matches!(byte, b'1'..=b'9'))) {
            return Err(invalid("subtractPercentage", "must be 0: give the amount as customAmount"));
        }
        let (amount, display_amount) = self.amounts(record)?;
        let custom = self.custom_currency.as_deref().filter(|_| amount.is_some());
        let pair = match &self.payout_method_id {
            Some(id) => Some(methods::pair(id).ok_or_else(|| invalid("payoutMethodId", "is not known"))?),
            None => None,
        };
        let currency = pair.map(|pair| pair.currency).or_else(|| custom.and_then(|code| code.parse().ok()));
        if custom.is_some_and(|code| currency.is_some_and(|currency| currency.code() != code)) {
            return Err(invalid("customCurrency", "is another one than that of payoutMethodId"));
        }
        // A shop that repeats a request does not pay twice.
        let meaning = json!([
            record.payment.id.to_string(),
            self.name,
            self.description,
            currency.map(Currency::code),
            pair.map(|pair| pair.network.code()),
            amount,
            display_amount,
        ]);
        Ok(RefundRequest {
            client_refund_id: format!("greenfield-{}", &hash(&meaning)[..32]),
            currency,
            network: pair.map(|pair| pair.network),
            amount,
            display_amount,
            to: None,
            account: None,
            claim_of: None,
        })
    }
}

pub(super) async fn handle(
    State(app): State<Shared>,
    found: ShopInvoice<Withdraw>,
    Given(new): Given<NewRefund>,
) -> Result<Json<Value>, Refusal> {
    let ShopInvoice { shop, record } = found;
    make(&app, &shop, &record, new).await
}

pub(super) async fn make(
    app: &App,
    shop: &Shop<Withdraw>,
    record: &PaymentWithDeposits,
    new: NewRefund,
) -> Result<Json<Value>, Refusal> {
    let request = new.request(record)?;
    let created =
        refund_payment::refund(app, shop.known.caller, shop.actor(), record.payment.id, &request).await?;
    let refund = created.body;
    if created.replayed && refund.status == RefundState::Cancelled {
        return Err(invalid(
            "name",
            "is that of a refund that was cancelled: another name makes another refund",
        ));
    }
    if created.replayed && app.clock.now() > refund.created_at.0.saturating_add(REPEATED) {
        return Err(invalid(
            "name",
            "is that of an earlier refund of this amount: another name or reason makes another refund",
        ));
    }
    Ok(Json(json!({
        "id": refund.refund_id,
        "name": new.name,
        "description": new.description.unwrap_or_default(),
        "currency": refund.currency,
        "amount": refund.amount,
        "period": null,
        "BOLT11Expiration": null,
        "autoApproveClaims": false,
        "archived": false,
        "viewLink": payment_url(app, &shop.business, &record.payment),
    })))
}
