//! Finds transfers again that were known under another index. Servers number what is in a transaction differently, and one can leave
//! out a part of it.

use std::collections::{BTreeMap, BTreeSet};

use checkout_core::{Address, Amount, Currency, Network, Options};

use super::environment::ANY_NETWORK;
use super::{OutputId, Transfer};

/// A transfer as it was stored.
pub trait KnownTransfer {
    fn output(&self, network: Network) -> OutputId;

    /// Whether it is this transfer, under whatever id.
    fn is_same(&self, transfer: &Transfer) -> bool;

    /// Whether it left the chain.
    fn is_gone(&self) -> bool {
        false
    }
}

/// What is the same whoever tells of a transfer. A transaction that was executed again can have other facts, which are other transfers.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    pub currency: Currency,
    pub amount: Amount,
    pub to: &'a str,
    pub from: &'a str,
}

impl Facts<'_> {
    /// Whether an output can be the one that was stored with these facts under its id. An address has several forms.
    pub fn are_possible_of(&self, transfer: &Transfer) -> bool {
        const ANY_FORM: Options = Options { allow_legacy_bch: true, allow_legacy_ltc: true, ..ANY_NETWORK };
        let account = |text: &str| Address::parse_with(transfer.output.network, text, &ANY_FORM).ok();
        let is_same = |one: &str, other: &str| {
            one == other || account(one).is_some_and(|one| Some(one) == account(other))
        };
        (self.currency, self.amount) == (transfer.currency, transfer.amount)
            && is_same(self.to, &transfer.to)
            && sender(transfer).is_none_or(|from| is_same(self.from, from))
    }
}

/// The sender, where each transfer has its own: on EVM networks and TRON. Elsewhere it is a server's choice among several.
fn sender(transfer: &Transfer) -> Option<&str> {
    let network = transfer.output.network;
    let is_fact = network == Network::Trx || network.spec().chain_id().is_some();
    is_fact.then_some(&transfer.from)
}

/// Takes away those that are found again, and gives these the index under which they were known. Returns the places of the others,
/// each of which has an index of its own.
///
/// What is found are all transfers of a transaction: of a part, none can be told from an equal one that is known. One that left the
/// chain comes back only if no equal one is there.
pub fn recognise<K: KnownTransfer>(
    known: &mut Vec<K>,
    network: Network,
    found: &mut [&mut Transfer],
) -> Vec<usize> {
    let mut taken: BTreeSet<OutputId> = known.iter().map(|known| known.output(network)).collect();
    let (mut new, repeats) = without_repeats(found);
    for (may_be_gone, any_index) in [(false, false), (false, true), (true, false), (true, true)] {
        new.retain(|place| {
            let Transfer { output: id, .. } = &*found[*place];
            let is_of =
                |output: OutputId| output == *id || (any_index && output.transaction == id.transaction);
            let is_it = |known: &K| {
                (may_be_gone || !known.is_gone())
                    && known.is_same(found[*place])
                    && is_of(known.output(network))
            };
            let Some(at) = known.iter().position(is_it) else { return true };
            found[*place].output = known.remove(at).output(network);
            false
        });
    }
    let homeless = new.iter().filter(|place| !taken.insert(found[**place].output.clone()));
    for place in homeless.copied().collect::<Vec<_>>() {
        let output = &mut found[place].output;
        while !taken.insert(output.clone()) {
            output.index += 1;
        }
    }
    for (place, first) in repeats {
        found[place].output = found[first].output.clone();
    }
    new
}

/// The places of the first reports of each output, and those of further ones with the first.
fn without_repeats(found: &[&mut Transfer]) -> (Vec<usize>, Vec<(usize, usize)>) {
    let (mut firsts, mut repeats) = (BTreeMap::new(), Vec::new());
    let places = found.iter().enumerate().filter(|(place, transfer)| {
        let Transfer { output, currency, amount, to, tag, .. } = transfer;
        let first = *firsts.entry((output, currency, amount, to, tag, sender(transfer))).or_insert(*place);
        if first != *place {
            repeats.push((*place, first));
        }
        first == *place
    });
    (places.map(|(place, _)| place).collect(), repeats)
}

#[cfg(test)]
mod tests {
    use checkout_core::{Amount, Currency};

    use super::super::OutputState;
    use super::*;

    /// Index and amount; one of negative index is gone.
    impl KnownTransfer for (i32, u64) {
        fn output(&self, network: Network) -> OutputId {
            OutputId { network, transaction: "0xab".to_owned(), index: self.0.unsigned_abs() }
        }

        fn is_same(&self, transfer: &Transfer) -> bool {
            transfer.amount.atoms() == u128::from(self.1)
        }

        fn is_gone(&self) -> bool {
            self.0 < 0
        }
    }

    fn transfer((index, atoms): (u32, u64)) -> Transfer {
        Transfer {
            output: OutputId { network: Network::Eth, transaction: "0xab".to_owned(), index },
            currency: Currency::Usdt,
            amount: Amount::from_atoms(atoms.into()).unwrap(),
            to: "1".to_owned(),
            tag: None,
            from: "2".to_owned(),
            from_tag: None,
            other_senders: Vec::new(),
            fee: "0".to_owned(),
            seen_at: 1,
            state: OutputState::Confirmed,
            uncertain: false,
        }
    }

    #[test]
    fn the_sender_is_a_fact_where_each_transfer_has_its_own() {
        const X: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
        const Y: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
        let told = |network| {
            let told = transfer((1, 5));
            let output = OutputId { network, ..told.output };
            Transfer { output, to: X.to_owned(), from: Y.to_owned(), ..told }
        };
        let check = |network, (to, from): (&str, &str), expected: bool| {
            let told = told(network);
            let facts = Facts { currency: told.currency, amount: told.amount, to, from };
            assert_eq!(facts.are_possible_of(&told), expected, "{network} {to} {from}");
            assert!(!Facts { amount: Amount::ZERO, ..facts }.are_possible_of(&told), "{network} {to} {from}");
        };
        let check_reports_of_one_output = |network, expected: usize| {
            let (mut one, mut two) = (told(network), Transfer { from: X.to_owned(), ..told(network) });
            let new = recognise(&mut Vec::<(i32, u64)>::new(), network, &mut [&mut one, &mut two]);
            assert_eq!(new.len(), expected, "{network}");
        };
        for network in [Network::Eth, Network::Polygon, Network::Trx] {
            check(network, (X, Y), true);
            check(network, (X, X), false);
            check(network, (Y, Y), false);
            check_reports_of_one_output(network, 2);
        }
        check(Network::Eth, (&X.to_ascii_lowercase(), &Y.to_ascii_lowercase()), true);
        for network in [Network::Btc, Network::Doge, Network::Xrp, Network::Xlm] {
            check(network, (X, X), true);
            check(network, (Y, Y), false);
            check_reports_of_one_output(network, 1);
        }
    }

    #[test]
    fn each_transfer_keeps_its_index_and_no_other_one_gets_it() {
        let check =
            |known: &[(i32, u64)], found: &[(u32, u64)], indices: &[u32], new: &[usize], left: usize| {
                let mut rest = known.to_vec();
                let mut transfers: Vec<Transfer> = found.iter().copied().map(transfer).collect();
                let mut each: Vec<&mut Transfer> = transfers.iter_mut().collect();
                assert_eq!(recognise(&mut rest, Network::Eth, &mut each), new, "{known:?} {found:?}");
                let have: Vec<u32> = transfers.iter().map(|transfer| transfer.output.index).collect();
                assert_eq!((have.as_slice(), rest.len()), (indices, left), "{known:?} {found:?}");
            };
        check(&[], &[(1, 5), (2, 5)], &[1, 2], &[0, 1], 0);
        check(&[(1, 5)], &[(1, 5)], &[1], &[], 0);
        check(&[(1, 5)], &[(4, 5)], &[1], &[], 0);
        check(&[(2, 5), (3, 5)], &[(1, 5), (2, 5)], &[3, 2], &[], 0);
        // A server left out the log before.
        check(&[(1, 5)], &[(1, 7), (2, 5)], &[2, 1], &[0], 0);
        check(&[(1, 5)], &[(1, 5), (2, 5)], &[1, 2], &[1], 0);
        check(&[(1, 5)], &[(1, 7), (2, 5), (3, 8)], &[2, 1, 3], &[0, 2], 0);
        check(&[(1, 5), (2, 6)], &[(1, 7), (2, 5), (3, 6)], &[3, 1, 2], &[0], 0);
        // Another amount is another transfer.
        check(&[(1, 5)], &[(1, 7)], &[2], &[0], 1);
        check(&[(1, 5), (9, 9)], &[], &[], &[], 2);
        // A known one has the index.
        check(&[(1, 5), (2, 5)], &[(1, 7), (2, 5)], &[3, 2], &[0], 1);
        // One that is there is found before an equal one that is not.
        check(&[(-3, 5), (4, 5)], &[(3, 5)], &[4], &[], 1);
        check(&[(3, 5), (-4, 5)], &[(4, 5)], &[3], &[], 1);
        check(&[(-3, 5), (4, 5)], &[(3, 5), (4, 5)], &[3, 4], &[], 0);
        check(&[(-3, 5), (4, 5)], &[(3, 5), (9, 5)], &[4, 3], &[], 0);
        check(&[(-3, 5)], &[(9, 5)], &[3], &[], 0);
        check(&[(-3, 5)], &[(3, 7)], &[4], &[0], 1);
        // Two reports of one.
        check(&[], &[(1, 5), (1, 5), (2, 5)], &[1, 1, 2], &[0, 2], 0);
        check(&[(1, 5)], &[(4, 5), (4, 5), (1, 7)], &[1, 1, 2], &[2], 0);
    }
}
