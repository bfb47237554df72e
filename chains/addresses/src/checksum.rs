//! The checksum of a descriptor (BIP-380, "Checksum").

/// The letters of descriptors, in groups of 32.
const INPUT: &str =
    "0123456789()[],'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#\"\\ ";
const OUTPUT: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const TERMS: [u64; 5] = [0xf5_dee5_1989, 0xa9_fdca_3312, 0x1b_ab10_e32d, 0x37_06b1_677a, 0x64_4d62_6ffd];

/// Returns `None` if a letter is not one of descriptors.
pub(super) fn of(text: &str) -> Option<String> {
    let mut symbols = Vec::new();
    let mut group = Vec::new();
    for letter in text.chars() {
        let value = u64::try_from(INPUT.find(letter)?).ok()?;
        symbols.push(value & 31);
        group.push(value >> 5);
        if let [a, b, c] = group[..] {
            symbols.push(a * 9 + b * 3 + c);
            group.clear();
        }
    }
    match group[..] {
        [a] => symbols.push(a),
        [a, b] => symbols.push(a * 3 + b),
        _ => {}
    }
    symbols.extend([0; 8]);
    let sum = symbols.into_iter().fold(1, step) ^ 1;
    let letter =
        |at: u32| char::from(OUTPUT[usize::try_from((sum >> (5 * (7 - at))) & 31).unwrap_or_default()]);
    Some((0..8).map(letter).collect())
}

fn step(sum: u64, value: u64) -> u64 {
    let top = sum >> 35;
    let moved = ((sum & 0x7_ffff_ffff) << 5) ^ value;
    let terms = TERMS.iter().enumerate().filter(|(at, _)| (top >> at) & 1 == 1);
    terms.fold(moved, |sum, (_, term)| sum ^ term)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BIP-380, test vectors.
    #[test]
    fn the_published_checksum() {
        assert_eq!(of("raw(deadbeef)").as_deref(), Some("89f8spxm"));
        assert_ne!(of("raw(dedbeef)").as_deref(), Some("89f8spxm"));
        assert_eq!(of("raw(Ü)"), None);
    }
}
