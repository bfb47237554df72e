//! The signed form of a transaction, of which its hash is: <https://xrpl.org/docs/references/protocol/binary-format>. An entry is credited
//! under a hash only if this form of it, which the server is asked for, says the same.

use std::collections::BTreeMap;

use checkout_chain_http::Fields;
use checkout_core::Network;
use checkout_core::address::Address;
use checkout_domain::chain::environment::ANY_NETWORK;

use crate::entry::LedgerEntry;
use crate::payment::{POSITIVE_XRP, hash};
use crate::transfers::KINDS;

/// Type and number of a field.
type Id = (u8, u8);

const TRANSACTION_TYPE: Id = (1, 2);
const FEE: Id = (6, 8);
const NUMBERS: [(&str, Id); 4] =
    [("SourceTag", (2, 3)), ("Sequence", (2, 4)), ("DestinationTag", (2, 14)), ("TicketSequence", (2, 41))];
const ACCOUNTS: [(&str, Id); 2] = [("Account", (8, 1)), ("Destination", (8, 3))];

/// An error says what differs.
pub(crate) fn check(entry: &LedgerEntry, bytes: &[u8]) -> Result<(), String> {
    if entry.hash() != Some(hash(bytes)) {
        return Err("its hash is not the one of what was signed".to_owned());
    }
    let signed = fields(bytes).ok_or("its signed form cannot be read")?;
    let is = |name: &str, id: Id, said: Option<Vec<u8>>| {
        let is_same = signed.get(&id).copied() == said.as_deref();
        if is_same { Ok(()) } else { Err(format!("its {name} is not what was signed")) }
    };
    let tx = entry.tx()?;
    let kind: String = tx.need("TransactionType")?;
    let code = KINDS.into_iter().find(|(name, _)| *name == kind).map(|(_, code)| code.to_be_bytes().to_vec());
    is("TransactionType", TRANSACTION_TYPE, code)?;
    for (name, id) in NUMBERS {
        is(name, id, tx.get::<u32>(name)?.map(|number| number.to_be_bytes().to_vec()))?;
    }
    for (name, id) in ACCOUNTS {
        is(name, id, account(tx, name)?)?;
    }
    let fee = tx.need::<String>("Fee")?.parse::<u64>().ok();
    is("Fee", FEE, fee.map(|drops| (POSITIVE_XRP | drops).to_be_bytes().to_vec()))
}

fn account(tx: &Fields, name: &str) -> Result<Option<Vec<u8>>, String> {
    let address = Address::parse_with(Network::Xrp, &tx.need::<String>(name)?, &ANY_NETWORK).ok();
    Ok(address.map(|address| address.payload().to_vec()))
}

/// Those up to the accounts: fields stand in the order of their types.
fn fields(mut rest: &[u8]) -> Option<BTreeMap<Id, &[u8]>> {
    let mut fields = BTreeMap::new();
    while let Some(first) = rest.first().copied() {
        rest = &rest[1..];
        let mut half = |four: u8| if four == 0 { take(&mut rest, 1).map(|byte| byte[0]) } else { Some(four) };
        let id = (half(first >> 4)?, half(first & 0xF)?);
        let length = match id.0 {
            1 => 2,
            2 => 4,
            3 => 8,
            4 => 16,
            5 => 32,
            6 => amount_length(*rest.first()?),
            7 | 8 => variable_length(&mut rest)?,
            _ => break,
        };
        fields.insert(id, take(&mut rest, length)?);
    }
    Some(fields)
}

/// Of an issued currency, of a multi-purpose token, or of XRP.
fn amount_length(first: u8) -> usize {
    match first {
        first if first & 0x80 != 0 => 48,
        first if first & 0x20 != 0 => 33,
        _ => 8,
    }
}

fn variable_length(rest: &mut &[u8]) -> Option<usize> {
    let first = usize::from(take(rest, 1)?[0]);
    let mut next = || take(rest, 1).map(|byte| usize::from(byte[0]));
    match first {
        0..=192 => Some(first),
        193..=240 => Some(193 + (first - 193) * 256 + next()?),
        241..=254 => Some(12_481 + (first - 241) * 65_536 + next()? * 256 + next()?),
        _ => None,
    }
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(count)?;
    *rest = left;
    Some(taken)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use serde_json::value::to_raw_value;

    use super::*;

    /// A payment of the main network that was signed by `xrpl` 5.3.0; see [`payment`](crate::payment).
    const SIGNED: &str = "12000024000000072E000001EF201B05B678826140000000017D784068400000000000000C73210330E7FC9D56BB25D6893BA3F317AE5BCF33B3291BD63DB32654A313222F7FD02074473045022100BC7D15FA0983370582F40F066E2ADE83EF677FFDD209D712E53C4D4DCA6917AE022039FDA1CA4A8D18ABCB9D57D7A7D6F266EA01D861AF450AA68D4848EACE5BD3078114B5F762798A53D543A014CAF8B297CFF8F2F937E88314F40B468D5AC0DBA36E2941877AC2E9BBD48262A1";

    #[test]
    fn what_was_signed() {
        let check = |name: &str, value: serde_json::Value, expected: &str| {
            let mut tx = json!({
                "TransactionType": "Payment", "Account": "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh",
                "Destination": "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY", "DestinationTag": 495, "Fee": "12", "Sequence": 7,
                "hash": "AD8962094A6519B5E9A92A9CE23517628CCC2257E887A62F923258DD21F27270"
            });
            tx[name] = value;
            let entry = LedgerEntry::of(&to_raw_value(&json!({"tx": tx})).unwrap()).unwrap();
            let have = super::check(&entry, &hex::decode(SIGNED).unwrap()).err().unwrap_or_default();
            assert!(have.contains(expected) && have.is_empty() == expected.is_empty(), "{name}: {have}");
        };
        check("Flags", json!(0), "");
        check("TransactionType", json!("AccountDelete"), "TransactionType is not what was signed");
        check("Account", json!("rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY"), "Account is not");
        check("Destination", json!("rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"), "Destination is not");
        check("DestinationTag", json!(496), "DestinationTag is not");
        check("SourceTag", json!(0), "SourceTag is not");
        check("Sequence", json!(8), "Sequence is not");
        check("TicketSequence", json!(7), "TicketSequence is not");
        check("Fee", json!("13"), "Fee is not");
        check(
            "hash",
            json!("0AF1D00B1138767F67A54179E7B996EC0933BF83DFBC91956E29243AF3BC3F01"),
            "its hash is not",
        );
    }

    /// A hash of 256 bits, amounts of three kinds, long contents, and types that come after the accounts.
    #[test]
    fn fields_of_any_payment() {
        let check = |bytes: &str, expected: Option<&[(Id, usize)]>| {
            let bytes = hex::decode(bytes).unwrap();
            let have: Option<Vec<(Id, usize)>> =
                fields(&bytes).map(|all| all.into_iter().map(|(id, content)| (id, content.len())).collect());
            assert_eq!(have.as_deref(), expected, "{bytes:?}");
        };
        let zeros = |count| "00".repeat(count);
        check(&format!("50{}{}", "11", zeros(32)), Some(&[((5, 17), 32)]));
        check(&format!("61D5{}", zeros(47)), Some(&[((6, 1), 48)]));
        check(&format!("6160{}", zeros(32)), Some(&[((6, 1), 33)]));
        check(&format!("6140{}2029{}", zeros(7), zeros(4)), Some(&[((2, 41), 4), ((6, 1), 8)]));
        check(&format!("7DC107{}", zeros(200)), Some(&[((7, 13), 200)]));
        check(
            &format!("7DF10000{}8114{}F9EA7C", zeros(12_481), zeros(20)),
            Some(&[((7, 13), 12_481), ((8, 1), 20)]),
        );
        for bytes in ["12", "1200", "2000", "61", "6140", "81", "8114", "81FF", "7DC1", "7DF100"] {
            check(bytes, None);
        }
        check("", Some(&[]));
    }
}
