//! Where an entry is that has no hash, or none that is its own: the name under which it is set aside.

/// `7:3`: the fourth transaction of ledger 7. `7-9:2/5`: the second that names no place, of the five entries in the ledgers 7 to 9;
/// `7-9.0:2/5`: up to the first transaction of ledger 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The first and the last.
    pub(crate) ledgers: (u32, u32),
    /// The last place in the last ledger, if it was not read whole.
    end: Option<u32>,
    /// The place in the ledger.
    only: Option<u32>,
    /// All that have to be read.
    pub(crate) entries: usize,
}

impl Place {
    /// Whether a transaction of one of its ledgers can be of it.
    pub(crate) fn may_have(&self, ledger: u32, transaction: u32) -> bool {
        let is_beyond = |end: u32| ledger == self.ledgers.1 && transaction > end;
        self.only.is_none_or(|only| only == transaction) && !self.end.is_some_and(is_beyond)
    }

    pub(crate) fn read(name: &str) -> Option<Self> {
        let (ledgers, number) = name.split_once(':')?;
        let Some((first, last)) = ledgers.split_once('-') else {
            let ledger = ledgers.parse().ok()?;
            let only = Some(number.parse().ok()?);
            return Some(Self { ledgers: (ledger, ledger), end: None, only, entries: 1 });
        };
        let entries = number.split_once('/').map_or(number, |(_, entries)| entries).parse().ok()?;
        let (last, end) = last.split_once('.').map_or((last, None), |(last, end)| (last, Some(end)));
        let end = end.map(str::parse).transpose().ok()?;
        Some(Self { ledgers: (first.parse().ok()?, last.parse().ok()?), end, only: None, entries })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let check = |name, expected| assert_eq!(Place::read(name), expected, "{name}");
        let place =
            |ledgers, [end, only]: [Option<u32>; 2], entries| Some(Place { ledgers, end, only, entries });
        check("7:3", place((7, 7), [None, Some(3)], 1));
        check("7-9:2/5", place((7, 9), [None; 2], 5));
        check("7-9.0:2/5", place((7, 9), [Some(0), None], 5));
        // As it was before the last number was there.
        check("7-9:2", place((7, 9), [None; 2], 2));
        check("7-9.:2", None);
        check("7", None);
        check("7:", None);
        check("7-:1", None);
        check("E3FE6EA3D48F0C2B639448020EA4F03D4F4F8FFDB243A852A0F59177921B4879", None);
    }
}
