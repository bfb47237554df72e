//! A payment, row by row, by the page's own rules.

use checkout_core::{Amount, Pair, Tag, TagRule, validate};
use checkout_widget::opened::Opened;
use checkout_widget::page_url::safe_redirect;
use checkout_widget::quote::{self, Quote};
use checkout_wire::checkout_view::CheckoutView;
use checkout_wire::{Payment, PaymentStatus};
use serde_json::{Value, json};

use super::grades::Grades;
use super::reading::{self, PaymentFields, Reading};
use super::rows::{Row, Table};
use super::server::CLOCKS;
use super::shown::{PageContext, ShownPayment, code, shape};
use super::{deposits, server};

/// Reads the body of an answer and grades it. `None` if the page cannot read it.
pub(super) fn grade(
    grades: &mut Grades,
    context: PageContext<'_>,
    answer: &server::ServerAnswer,
) -> Option<ShownPayment> {
    let Some(Reading { fields, odd, .. }) = reading::read(&answer.body) else {
        grades.broken(Row::Anything, context.place, "the body is no payment");
        return None;
    };
    for spelling in odd {
        grades.note(format!("{spelling}: read anyway"));
    }
    let faults = grades.faults();
    judge_fields(grades, context, &fields, answer.now);
    deposits::grade(grades, context, &fields);
    let payment = match reading::payment(&fields) {
        Ok(payment) => payment,
        Err(error) => {
            if grades.faults() == faults {
                grades.broken(
                    Row::Anything,
                    context.place,
                    format!("the page cannot read the payment: {error}"),
                );
            }
            return None;
        }
    };
    let view = json!({
        "payment": reading::complete(&fields), "merchantName": "", "options": [], "testNetworks": context.test_networks,
    });
    let view: CheckoutView = serde_json::from_value(view).ok()?;
    let opened = Opened::new(view);
    let quote = judge_quote(grades, context, &payment, &opened);
    let seen = ShownPayment { window_end: opened.window_end(), fields, payment, quote };
    judge_status(grades, context, &seen, answer.now);
    deposits::judge_amounts(grades, context, &seen);
    Some(seen)
}

fn judge_fields(grades: &mut Grades, context: PageContext<'_>, fields: &PaymentFields, now: u64) {
    for row in Row::of_table(Table::Payment) {
        for name in row.fields() {
            match fields.get(name) {
                Some(value) => {
                    grades.judge(
                        row,
                        context.place,
                        shape(name, value).map_err(|fault| format!("{name} {fault}")),
                    );
                }
                None if row.is_required() => grades.broken(row, context.place, format!("{name} is missing")),
                None => {}
            }
        }
    }
    if let Some(Value::String(id)) = fields.get("paymentId")
        && id != context.payment_id
    {
        grades.broken(Row::PaymentId, context.place, format!("paymentId is {id}"));
    }
    let begun = fields.get("paymentInitiatedAt").and_then(Value::as_u64);
    if let Some(begun) = begun.filter(|begun| *begun > now + CLOCKS) {
        grades.broken(
            Row::PaymentInitiatedAt,
            context.place,
            format!("paymentInitiatedAt {begun} is in the future"),
        );
    }
    if let Some(Value::String(url)) = fields.get("redirectUrl")
        && safe_redirect(url, context.is_secure).is_none()
    {
        grades.broken(Row::RedirectUrl, context.place, format!("the page does not go to {url}"));
    }
    let known = |name: &str| Row::of_table(Table::Payment).any(|row| row.fields().any(|field| field == name));
    let unknown: Vec<&str> = fields.keys().map(String::as_str).filter(|name| !known(name)).collect();
    if !unknown.is_empty() {
        grades.note(format!("the page uses no {}", unknown.join(", ")));
    }
}

/// Address, amount and tag, as the page checks them before it shows one of them.
fn judge_quote(
    grades: &mut Grades,
    context: PageContext<'_>,
    payment: &Payment,
    opened: &Opened,
) -> Option<Quote> {
    let place = context.place;
    let Some(address) = &payment.wallet_address else {
        if payment.status == PaymentStatus::Pending {
            grades.broken(Row::WalletAddress, place, "walletAddress is missing");
        }
        return None;
    };
    let Some(pair) = quote::pair_of(payment) else {
        let (currency, network) = (payment.deposit_currency.as_deref(), payment.expected_network.as_deref());
        let said = [currency, network].map(|code| code.unwrap_or("nothing")).join(" on ");
        grades.broken(Row::Pair, place, format!("there is no pair {said}"));
        return None;
    };
    let faults = grades.faults();
    let amount = payment.expected_deposit_amount.as_deref().unwrap_or_default();
    match Amount::parse(amount, pair.decimals) {
        Ok(amount) if !amount.is_zero() => {}
        Ok(_) => grades.broken(Row::ExpectedDepositAmount, place, "expectedDepositAmount is 0"),
        Err(error) => {
            let fault =
                format!("expectedDepositAmount is {amount:?}, and no amount of {}: {error}", code(pair));
            grades.broken(Row::ExpectedDepositAmount, place, fault);
        }
    }
    if let Err(fault) = judge_tag(pair, payment.destination_tag.as_deref()) {
        grades.broken(Row::DestinationTag, place, fault);
    }
    if let Ok(quote) = quote::quote(opened) {
        grades.kept(Row::WalletAddress);
        return quote;
    }
    if grades.faults() == faults {
        let verdict = validate(pair.currency.code(), pair.network.code(), address, None);
        let why = verdict.reason.map_or("not of the network in use", |reason| reason.code());
        let fault = format!("{address} is no address of {}: {why}", code(pair));
        grades.broken(Row::WalletAddress, place, fault);
    }
    None
}

fn judge_tag(pair: &Pair, tag: Option<&str>) -> Result<(), String> {
    let needs_one = pair.network.tag_rule() != TagRule::None;
    match tag {
        None if needs_one => Err(format!("{} needs a destinationTag", code(pair))),
        Some(_) if !needs_one => Err(format!("{} has no destinationTag", code(pair))),
        Some(tag) => match Tag::parse(pair.network, tag, None) {
            Ok(_) => Ok(()),
            Err(error) => Err(format!("destinationTag {tag:?}: {}", error.reason().code())),
        },
        None => Ok(()),
    }
}

fn judge_status(grades: &mut Grades, context: PageContext<'_>, seen: &ShownPayment, now: u64) {
    use PaymentStatus::{Awaiting, Deposited, Expired, New, Overpaid, Pending};
    let place = context.place;
    let has_deposit = !seen.payment.deposits.is_empty();
    match seen.payment.status.known() {
        Some(New) => grades.expect(Row::New, place, !has_deposit, || "NEW with a deposit".to_owned()),
        Some(Pending) => grades.kept(Row::Pending),
        Some(Awaiting) => {
            grades.expect(Row::Awaiting, place, has_deposit, || "AWAITING without a deposit".to_owned());
        }
        Some(status @ (Deposited | Overpaid)) => {
            grades.expect(Row::Paid, place, has_deposit, || format!("{status} without a deposit"));
        }
        Some(Expired) => {
            let is_over = seen.window_end.is_some_and(|end| end <= now + CLOCKS);
            let is_right = is_over || seen.payment.cancelled_at.is_some();
            grades
                .expect(Row::Expired, place, is_right, || "EXPIRED before the end of the window".to_owned());
        }
        None => grades
            .note(format!("status {} is unknown: the page follows deposits and window", seen.payment.status)),
    }
}
