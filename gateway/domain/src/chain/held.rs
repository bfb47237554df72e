//! A transfer that was reported and can still leave the chain, as a chain's cursor stores it: for networks whose blocks are read one by
//! one.

use checkout_core::{Amount, Network};
use serde::{Deserialize, Serialize};

use super::recognise::{KnownTransfer, recognise};
use super::set_aside::SetAside;
use super::{OutputId, OutputState, Transfer};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// Of its block.
    pub height: u64,
    /// The hash of its block, where that is known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    block: String,
    #[serde(default)]
    pub confirmed: bool,
    /// `0x` and lower-case digits on every network.
    transaction: String,
    index: u32,
    currency: String,
    amount: String,
    to: String,
    from: String,
    fee: String,
    seen_at: u64,
}

const PREFIX: &str = "0x";

impl Held {
    pub fn new(height: u64, transfer: &Transfer) -> Self {
        let id = transfer.output.transaction.as_str();
        Self {
            height,
            block: String::new(),
            confirmed: transfer.state == OutputState::Confirmed,
            transaction: [PREFIX, id.strip_prefix(PREFIX).unwrap_or(id)].concat(),
            index: transfer.output.index,
            currency: transfer.currency.code().to_owned(),
            amount: transfer.amount.atoms().to_string(),
            to: transfer.to.clone(),
            from: transfer.from.clone(),
            fee: transfer.fee.clone(),
            seen_at: transfer.seen_at,
        }
    }

    #[must_use]
    pub fn in_block(self, block: &str) -> Self {
        Self { block: block.to_owned(), ..self }
    }

    /// Whether it is certainly in this block: what the block did is the same for ever.
    pub fn is_in(&self, block: &str) -> bool {
        !self.block.is_empty() && self.block == block
    }

    /// With `0x` on every network.
    pub fn transaction(&self) -> &str {
        &self.transaction
    }

    pub fn is(&self, output: &OutputId) -> bool {
        self.output(output.network) == *output
    }

    pub fn output(&self, network: Network) -> OutputId {
        let digits = self.transaction.strip_prefix(PREFIX).unwrap_or(&self.transaction);
        OutputId { network, transaction: network.spec().transaction_id.write(digits), index: self.index }
    }

    pub fn transfer(&self, network: Network, state: OutputState) -> Result<Transfer, String> {
        let wrong = |field: &str| format!("the stored cursor has a wrong {field} of {}", self.transaction);
        let atoms = self.amount.parse().map_err(|_| wrong("amount"))?;
        Ok(Transfer {
            output: self.output(network),
            currency: self.currency.parse().map_err(|_| wrong("currency"))?,
            amount: Amount::from_atoms(atoms).map_err(|_| wrong("amount"))?,
            to: self.to.clone(),
            tag: None,
            from: self.from.clone(),
            from_tag: None,
            other_senders: Vec::new(),
            fee: self.fee.clone(),
            seen_at: self.seen_at,
            state,
            uncertain: false,
        })
    }
}

impl KnownTransfer for Held {
    fn output(&self, network: Network) -> OutputId {
        self.output(network)
    }

    fn is_same(&self, transfer: &Transfer) -> bool {
        [&self.currency, &self.to, &self.from] == [transfer.currency.code(), &transfer.to, &transfer.from]
            && self.amount == transfer.amount.atoms().to_string()
    }
}

/// Takes away the transfers in blocks above this one.
pub fn cut(held: &mut Vec<Held>, height: u64) -> Vec<Held> {
    held.extract_if(.., |held| held.height > height).collect()
}

/// Adds what another look at transactions of a block found, some of which can be held under another index. Returns all that is held of
/// these transactions.
pub fn rejoin(
    held: &mut Vec<Held>,
    network: Network,
    entry: &SetAside,
    mut found: Vec<Transfer>,
) -> Result<Vec<Transfer>, String> {
    let new = recognise(&mut held.clone(), network, &mut found.iter_mut().collect::<Vec<_>>());
    let new = new.into_iter().map(|place| Held::new(entry.height, &found[place]).in_block(&entry.block));
    held.extend(new);
    let is_found = |id: &str| found.iter().any(|found| found.output.transaction == id);
    let state = |held: &Held| if held.confirmed { OutputState::Confirmed } else { OutputState::Unconfirmed };
    let of_block = held.iter().filter(|held| held.height == entry.height);
    let mut all = of_block.map(|held| held.transfer(network, state(held))).collect::<Result<Vec<_>, _>>()?;
    all.retain(|transfer| is_found(&transfer.output.transaction));
    Ok(all)
}

/// The lowest block with one of these.
pub fn lowest(held: &[Held]) -> Option<u64> {
    held.iter().map(|held| held.height).min()
}

/// The confirmations of those that are not confirmed yet; `newest` is the last block that was read.
pub fn waiting(held: &[Held], network: Network, newest: u64) -> Vec<(OutputId, u64)> {
    let unconfirmed = held.iter().filter(|held| !held.confirmed);
    unconfirmed.map(|held| (held.output(network), (newest + 1).saturating_sub(held.height))).collect()
}

#[cfg(test)]
mod tests {
    use checkout_core::Currency;

    use super::*;

    fn transfer(network: Network, transaction: &str, height: u64) -> Transfer {
        Transfer {
            output: OutputId { network, transaction: transaction.to_owned(), index: 3 },
            currency: Currency::Usdt,
            amount: Amount::from_atoms(12_000_000).unwrap(),
            to: "1".to_owned(),
            tag: None,
            from: "2".to_owned(),
            from_tag: None,
            other_senders: Vec::new(),
            fee: "0.0001".to_owned(),
            seen_at: height,
            state: OutputState::Vanished,
            uncertain: false,
        }
    }

    /// As cursors were stored before the two networks shared this.
    #[test]
    fn a_stored_transfer_reads_back() {
        let digits = "07".repeat(32);
        for (network, transaction, confirmed) in [
            (Network::Eth, format!("0x{digits}"), "\"confirmed\":false,"),
            (Network::Bsc, format!("0x{digits}"), "\"confirmed\":true,"),
            (Network::Trx, digits.clone(), ""),
        ] {
            let text = format!(
                "{{\"height\":7,{confirmed}\"transaction\":\"0x{digits}\",\"index\":3,\"currency\":\"USDT\",\
                 \"amount\":\"12000000\",\"to\":\"1\",\"from\":\"2\",\"fee\":\"0.0001\",\"seen_at\":7}}"
            );
            let held: Held = serde_json::from_str(&text).unwrap();
            let expected = transfer(network, &transaction, 7);
            assert_eq!(held.transfer(network, OutputState::Vanished), Ok(expected.clone()));
            assert!(held.is(&expected.output));
            assert!(held.is_same(&expected));
            assert!(
                !held.is_same(&Transfer { from: "3".to_owned(), ..expected.clone() }),
                "of somebody else"
            );
            let again = Held { confirmed: held.confirmed, ..Held::new(7, &expected) };
            assert_eq!((&again, held.transaction()), (&held, format!("0x{digits}").as_str()));
            assert_eq!(serde_json::from_str::<Held>(&serde_json::to_string(&held).unwrap()).unwrap(), held);
        }
    }

    #[test]
    fn a_cut_returns_the_transfers_above_it() {
        let of = |height| Held::new(height, &transfer(Network::Eth, "0xab", height));
        let mut held: Vec<Held> = (2..=5).map(of).collect();
        let waits: Vec<u64> = waiting(&held, Network::Eth, 5).iter().map(|(_, count)| *count).collect();
        assert_eq!(waits, [4, 3, 2, 1]);
        held[0].confirmed = true;
        assert_eq!(waiting(&held, Network::Eth, 5).len(), 3);
        let gone: Vec<u64> = cut(&mut held, 3).iter().map(|held| held.height).collect();
        assert_eq!((gone, held.len()), (vec![4, 5], 2));
    }
}
