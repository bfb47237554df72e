//! The list of payments, and new payments for the sandbox's business.

use checkout_domain::access::token::Caller;
use checkout_domain::ids::PaymentId;
use checkout_domain::payment::{Payment, PaymentWithDeposits};
use checkout_domain::ports::Stored;
use checkout_gateway::render::payment as render;
use checkout_gateway::requests::fields::Fields;
use checkout_gateway::service::choose_deposit;
use checkout_gateway::service::create_payment;
use checkout_gateway::service::refused::{Created, Refused};
use checkout_simulator::World;
use checkout_simulator::records::Listing;
use checkout_wire as wire;
use checkout_wire::create_payment::CreatedPayment;
use checkout_wire::texts::{self, AmountText, ClientId, CurrencyCode, FiatCode, NetworkCode, Time};
use checkout_wire::{PaymentStatus, PaymentType};
use serde::Serialize;

/// One row of the list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    pub payment_id: texts::PaymentId,
    pub client_payment_id: ClientId,
    pub status: PaymentStatus,
    #[serde(rename = "type")]
    pub kind: PaymentType,
    pub display_currency: FiatCode,
    pub display_amount: Option<AmountText>,
    pub deposit_currency: Option<CurrencyCode>,
    pub network: Option<NetworkCode>,
    pub deposit_amount: Option<AmountText>,
    pub created_at: Time,
}

pub async fn list(world: &World, listing: &Listing) -> Stored<Vec<Summary>> {
    let now = world.app.clock.now();
    let mut summaries = Vec::new();
    for id in world.sandbox.storage.listed_payments(listing).await? {
        if let Some(record) = world.app.store.payment(id).await? {
            summaries.push(summary(record.payment, now));
        }
    }
    Ok(summaries)
}

/// Uses the stored status, which is updated when the deposits change.
fn summary(payment: Payment, now: u64) -> Summary {
    let (status, kind) = (payment.status, payment.kind);
    let shown = render::payment(&PaymentWithDeposits::new(payment), now);
    Summary {
        payment_id: shown.payment_id,
        client_payment_id: shown.client_payment_id,
        status,
        kind,
        display_currency: shown.display_currency,
        display_amount: shown.expected_display_amount,
        deposit_currency: shown.deposit_currency,
        network: shown.expected_network,
        deposit_amount: shown.expected_deposit_amount,
        created_at: shown.payment_initiated_at,
    }
}

/// Does the same as `POST /api/v1/payments` for the sandbox's business. Returns `None` before the first
/// start.
pub async fn create(world: &World, fields: Fields) -> Result<Option<Created<CreatedPayment>>, Refused> {
    let Some(business) = checkout_simulator::world::business_id(&world.app).await? else { return Ok(None) };
    create_payment::create(&world.app, Caller::Business(business), fields).await.map(Some)
}

/// Does the same as `PATCH /api/v1/payments/{id}`, on behalf of the payer.
pub async fn choose(
    world: &World,
    id: PaymentId,
    fields: Fields,
) -> Result<wire::Payment, choose_deposit::NotChosen> {
    choose_deposit::choose(&world.app, Caller::Session { payment: id }, id, fields)
        .await
        .map(|chosen| chosen.payment_info)
}
