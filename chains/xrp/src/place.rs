//! Where an entry is that has no hash, or none that is its own: the name under which it is set aside.

/// `7:3`: the fourth transaction of ledger 7. `7-9:2/5`: the second that names no place, of the five entries in the ledgers 7 to 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The first and the last.
    pub(crate) ledgers: (u32, u32),
    /// The place in the ledger.
    pub(crate) only: Option<u32>,
    /// All that have to be read.
    pub(crate) entries: usize,
}

impl Place {
    pub(crate) fn read(name: &str) -> Option<Self> {
        let (ledgers, number) = name.split_once(':')?;
        let Some((first, last)) = ledgers.split_once('-') else {
            let ledger = ledgers.parse().ok()?;
            return Some(Self { ledgers: (ledger, ledger), only: Some(number.parse().ok()?), entries: 1 });
        };
        let entries = number.split_once('/').map_or(number, |(_, entries)| entries).parse().ok()?;
        Some(Self { ledgers: (first.parse().ok()?, last.parse().ok()?), only: None, entries })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let check = |name, expected: Option<((u32, u32), Option<u32>, usize)>| {
            let expected = expected.map(|(ledgers, only, entries)| Place { ledgers, only, entries });
            assert_eq!(Place::read(name), expected, "{name}");
        };
        check("7:3", Some(((7, 7), Some(3), 1)));
        check("7-9:2/5", Some(((7, 9), None, 5)));
        // As it was before the last number was there.
        check("7-9:2", Some(((7, 9), None, 2)));
        check("7", None);
        check("7:", None);
        check("7-:1", None);
        check("E3FE6EA3D48F0C2B639448020EA4F03D4F4F8FFDB243A852A0F59177921B4879", None);
    }
}
