//! The id of an invoice: that of its payment, and twelve bytes that nobody can guess. Who has it can open the payer's page, as at
//! BTCPay Server; the id of a payment alone opens nothing.

use checkout_domain::ids::PaymentId;
use checkout_domain::payment::Payment;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

const UUID_LENGTH: usize = 36;
const SECRET_BYTES: usize = 12;

/// Characters of an id.
pub const LENGTH: usize = UUID_LENGTH + 1 + 2 * SECRET_BYTES;

pub fn invoice_id(payment: &Payment) -> String {
    format!("{}-{}", payment.id, secret(payment))
}

/// The payment that an id begins with.
pub fn payment_of(id: &str) -> Option<PaymentId> {
    id.get(..UUID_LENGTH)?.parse::<Uuid>().ok().map(PaymentId)
}

/// Whether it is the whole id.
pub fn opens(id: &str, payment: &Payment) -> bool {
    id.get(UUID_LENGTH + 1..).is_some_and(|given| same(given, &secret(payment)))
}

fn secret(payment: &Payment) -> String {
    let mut hash = Sha256::new();
    for part in [b"invoice".as_slice(), payment.id.0.as_bytes(), payment.session_nonce.0.as_bytes()] {
        hash.update(part);
    }
    hex::encode(&hash.finalize()[..SECRET_BYTES])
}

/// In a time that does not depend on where they differ.
fn same(given: &str, own: &str) -> bool {
    let differences = given.bytes().zip(own.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    given.len() == own.len() && differences == 0
}
