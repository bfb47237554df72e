//! CRC-16/XMODEM, the checksum of Stellar and TON.

/// Eight bytes at a time, with a table per half byte.
pub(crate) fn crc16(bytes: &[u8]) -> u16 {
    let (words, rest) = bytes.as_chunks::<8>();
    let crc = words.iter().fold(0, |crc, word| {
        let word = u64::from_be_bytes(*word) ^ u64::from(crc) << 48;
        let effects = HALF_BYTES.iter().enumerate();
        effects.fold(0, |crc, (at, effects)| crc ^ effects[(word >> (4 * at) & 15) as usize])
    });
    rest.iter().fold(crc, |crc, byte| {
        let [high, low] = (crc ^ u16::from(*byte) << 8).to_be_bytes();
        u16::from(low) << 8 ^ HALF_BYTES[0][usize::from(high & 15)] ^ HALF_BYTES[1][usize::from(high >> 4)]
    })
}

/// The effect of each half byte of an eight-byte word on the checksum, lowest first.
static HALF_BYTES: [[u16; 16]; 16] = {
    let mut tables = [[0; 16]; 16];
    let mut at = 0;
    while at < 16 {
        let mut value = 1;
        while value < 16 {
            // The 16 zero bits of the division follow the lowest half byte; more bits follow the others.
            let mut remainder = (value as u128) << (4 * at + 16);
            let mut bit = 80;
            while bit >= 16 {
                if remainder >> bit & 1 == 1 {
                    remainder ^= 0x1_1021 << (bit - 16);
                }
                bit -= 1;
            }
            tables[at][value] = (remainder & 0xffff) as u16;
            value += 1;
        }
        at += 1;
    }
    tables
};

#[cfg(test)]
mod tests {
    #[test]
    fn the_checksum_matches_the_published_one() {
        assert_eq!(super::crc16(b"123456789"), 0x31c3);
        assert_eq!(super::crc16(b""), 0);
    }
}
