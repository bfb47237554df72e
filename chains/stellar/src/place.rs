//! Where an entry is that no transaction names: the name under which it is set aside.

use std::fmt;

/// One of the first entries of an account's payments after a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) after: u64,
    /// The last number of those that have to be read; `None` if none came behind the entry.
    pub(crate) last: Option<u64>,
    /// Its own place.
    own: usize,
    /// All that have to be read.
    pub(crate) count: usize,
}

impl Place {
    /// `8-8:1/1`: the operation has its number.
    pub(crate) fn of_operation(id: u64) -> Self {
        Self { after: id.saturating_sub(1), last: Some(id), own: 1, count: 1 }
    }

    /// `7-12:2/3`: the second after number 7, of the three up to number 12, with which the page is read.
    pub(crate) fn up_to(last: u64, after: u64, (own, count): (usize, usize)) -> Self {
        Self { after, last: Some(last), own, count }
    }

    /// `7:3`: the third after number 7. `7:2/3`: one of the first three, in whatever order they came.
    pub(crate) fn among(after: u64, (own, count): (usize, usize)) -> Self {
        Self { after, last: None, own, count }
    }

    pub(crate) fn read(name: &str) -> Option<Self> {
        let (numbers, places) = name.split_once(':')?;
        let Some((after, last)) = numbers.split_once('-') else {
            let (own, count) = places.split_once('/').unwrap_or((places, places));
            return Some(Self::among(numbers.parse().ok()?, (own.parse().ok()?, count.parse().ok()?)));
        };
        let (own, count) = places.split_once('/')?;
        let places = (own.parse().ok()?, count.parse().ok()?);
        Some(Self::up_to(last.parse().ok()?, after.parse().ok()?, places))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { after, last, own, count } = self;
        match last {
            Some(last) => write!(f, "{after}-{last}:{own}/{count}"),
            None if own == count => write!(f, "{after}:{own}"),
            None => write!(f, "{after}:{own}/{count}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let check = |place: Place, name: &str| {
            assert_eq!(place.to_string(), name);
            assert_eq!(Place::read(name), Some(place), "{name}");
        };
        check(Place::of_operation(8), "7-8:1/1");
        check(Place::up_to(12, 7, (2, 3)), "7-12:2/3");
        check(Place::among(7, (2, 2)), "7:2");
        check(Place::among(7, (2, 3)), "7:2/3");
        for name in
            ["7", "7:", "7-8:1", "-:1", "e3fe6ea3d48f0c2b639448020ea4f03d4f4f8ffdb243a852a0f59177921b4879"]
        {
            assert_eq!(Place::read(name), None, "{name}");
        }
    }
}
