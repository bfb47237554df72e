//! A payer asks for the receipt of a paid payment by e-mail.

use checkout_domain::ids::PaymentId;
use checkout_domain::mail::{Content, NewMail, RECEIPTS};
use checkout_domain::ports::Stored;
use checkout_domain::ports::page::ReceiptAnswer;
use checkout_wire::PaymentStatus;

use crate::service::App;
use crate::texts::mail_address;

/// Whether the status is that of a payment with a receipt.
pub fn is_paid(status: PaymentStatus) -> bool {
    matches!(status, PaymentStatus::Deposited | PaymentStatus::Overpaid)
}

/// `None` if the payment has no receipt. The same address again is no other mail.
pub async fn request(
    app: &App,
    payment: PaymentId,
    typed: &str,
    locale: String,
) -> Stored<Option<ReceiptAnswer>> {
    let mut tx = app.store.begin().await?;
    let paid = tx.payment(payment).await?.filter(|record| is_paid(record.payment.status));
    let (Some(_), Some(_)) = (&app.mail, paid) else { return Ok(None) };
    let Some(to) = mail_address::read(typed) else { return Ok(Some(ReceiptAnswer::NoAddress)) };
    let mail = NewMail {
        id: app.new_id(),
        cause: format!("receipt/{payment}/{}", app.tokens.receipt(payment, &to)),
        content: Content::Receipt { payment, to, locale },
        created_at: app.clock.now(),
    };
    if !tx.put_mail(&mail).await? {
        return Ok(Some(ReceiptAnswer::Queued));
    }
    if tx.count_receipts(payment).await? > RECEIPTS {
        return Ok(Some(ReceiptAnswer::Enough));
    }
    tx.commit().await?;
    Ok(Some(ReceiptAnswer::Queued))
}
