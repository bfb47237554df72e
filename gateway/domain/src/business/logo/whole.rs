//! Whether an image has its end. What follows the end is not looked at.

/// The chunks of a PNG: length, name, contents, checksum, up to `IEND` (PNG, section 5.3).
pub(super) fn png(bytes: &[u8]) -> bool {
    let mut at = 8;
    loop {
        let Some(length) = number(bytes, at, u32::from_be_bytes) else { return false };
        let Some(next) = at.checked_add(12).and_then(|end| end.checked_add(length)) else { return false };
        if next > bytes.len() {
            return false;
        }
        if bytes.get(at + 4..at + 8) == Some(b"IEND") {
            return true;
        }
        at = next;
    }
}

/// The length in the header of the file, without the header (RFC 9649, section 2.4).
pub(super) fn webp(bytes: &[u8]) -> bool {
    number(bytes, 4, u32::from_le_bytes)
        .and_then(|length| length.checked_add(8))
        .is_some_and(|end| end <= bytes.len())
}

/// The segments of a JPEG up to its scan, and then the end marker, which no scan has (ITU T.81, section B.1.1).
pub(super) fn jpeg(bytes: &[u8]) -> bool {
    const SCAN: u8 = 0xda;
    let mut at = 2;
    loop {
        let Some(&[0xff, marker]) = bytes.get(at..at + 2) else { return false };
        at += 2;
        if marker == 0xff {
            at -= 1; // Fill bytes.
            continue;
        }
        if marker == SCAN {
            return bytes.get(at..).is_some_and(|scan| scan.windows(2).any(|pair| pair == [0xff, 0xd9]));
        }
        let Some(length) = bytes.get(at..at + 2) else { return false };
        at += usize::from(u16::from_be_bytes([length[0], length[1]])).max(2);
    }
}

fn number(bytes: &[u8], at: usize, of: fn([u8; 4]) -> u32) -> Option<usize> {
    let four = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    usize::try_from(of(four)).ok()
}
