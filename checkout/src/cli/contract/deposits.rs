//! The deposits of a payment, and their refunds.

use checkout_core::Amount;
use checkout_wire::DepositStatus;
use checkout_wire::payment::{RefundReason, RefundStatus, RefundType};
use serde_json::Value;

use super::grades::Grades;

use super::reading::PaymentFields;
use super::rows::Row;
use super::shown::{PageContext, ShownPayment, shape};

/// As `docs/contract.md` names them in the row of `refund`.
const OF_REFUND: [&str; 8] =
    ["type", "status", "reason", "amount", "fee", "displayCurrency", "displayAmount", "displayFee"];

const OPTIONAL_OF_REFUND: [&str; 2] = ["transactionId", "confirmedAt"];

pub(super) fn grade(grades: &mut Grades, context: PageContext<'_>, payment: &PaymentFields) {
    for deposit in of(payment) {
        let Some(deposit) = deposit.as_object() else {
            grades.broken(Row::Deposits, context.place, "a deposit is no object");
            continue;
        };
        required(grades, context, Row::DepositFacts, deposit, Row::DepositFacts.fields());
        if let Some(status) = deposit.get("status") {
            let is_known = status.as_str().is_some_and(|word| DepositStatus::known(word).is_some());
            grades.expect(Row::DepositStatus, context.place, is_known, || format!("status is {status}"));
        }
        for name in Row::DepositSender.fields() {
            optional(grades, context, Row::DepositSender, deposit, name);
        }
        match deposit.get("refund") {
            Some(Value::Object(refund)) => judge_refund(grades, context, refund),
            Some(_) => grades.broken(Row::Refund, context.place, "refund is no object"),
            None => {}
        }
    }
}

fn of(payment: &PaymentFields) -> impl Iterator<Item = &Value> {
    payment.get("deposits").and_then(Value::as_array).into_iter().flatten()
}

fn required<'a>(
    grades: &mut Grades,
    context: PageContext<'_>,
    row: Row,
    fields: &PaymentFields,
    names: impl IntoIterator<Item = &'a str>,
) {
    for name in names {
        if fields.contains_key(name) {
            optional(grades, context, row, fields, name);
        } else {
            grades.broken(row, context.place, format!("{name} is missing"));
        }
    }
}

fn optional(grades: &mut Grades, context: PageContext<'_>, row: Row, fields: &PaymentFields, name: &str) {
    if let Some(value) = fields.get(name) {
        grades.judge(row, context.place, shape(name, value).map_err(|fault| format!("{name} {fault}")));
    }
}

/// An amount in the coin of the quote has no more decimals than that.
pub(super) fn judge_amounts(grades: &mut Grades, context: PageContext<'_>, seen: &ShownPayment) {
    let Some(pair) = seen.quote.as_ref().map(|quote| quote.pair) else { return };
    for deposit in of(&seen.fields).filter(|deposit| deposit["depositCurrency"] == pair.currency.code()) {
        let amount = deposit["depositAmount"].as_str().unwrap_or_default();
        if let Err(error) = Amount::parse(amount, pair.decimals) {
            grades.broken(Row::DepositFacts, context.place, format!("depositAmount is {amount:?}: {error}"));
        }
    }
}

fn judge_refund(grades: &mut Grades, context: PageContext<'_>, refund: &PaymentFields) {
    required(grades, context, Row::Refund, refund, OF_REFUND);
    for name in OPTIONAL_OF_REFUND {
        optional(grades, context, Row::Refund, refund, name);
    }
    for (name, words) in
        [("type", RefundType::KNOWN), ("status", RefundStatus::KNOWN), ("reason", RefundReason::KNOWN)]
    {
        if let Some(word) = refund.get(name).and_then(Value::as_str)
            && !words.contains(&word)
        {
            grades.note(format!("{name} of a refund is {word}, which the page does not know"));
        }
    }
}
