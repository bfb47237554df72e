//! What an approval names: the address, tag and amount that were seen.

use checkout_wire::Approve;

use crate::http::body::Body;
use crate::http::problem::Refusal;
use crate::http::requests::recipient::memo_type;
use crate::service::payouts::seen::Seen;
use crate::texts::amount::positive_amount;

/// Of any pair: its own are known once the approved object is read.
const MOST_DECIMALS: u8 = 18;

pub fn read(Body(fields, _): Body<Approve>) -> Result<Seen, Refusal> {
    let seen = fields.read(|fields| {
        let address = fields.required_text("address");
        let (tag, memo_type) = (fields.decimal_text("destinationTag"), memo_type(fields));
        fields.require("amount");
        let amount = fields.decimal_text("amount");
        let amount = amount.and_then(|text| {
            let read = positive_amount(&text, MOST_DECIMALS);
            fields.accept("amount", read.map(|_| text))
        });
        Some(Seen { address: address?, tag, memo_type, amount: amount? })
    });
    seen.map_err(Refusal::unseen)
}
