//! The two memory buffers that pass texts between JavaScript and Rust.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A buffer that JavaScript may change between two calls. It consists of eight-byte words, so that a text takes few
/// loads. The byte order is that of WebAssembly, little-endian.
pub(crate) struct ExchangeBuffer<const WORDS: usize>([AtomicU64; WORDS]);

const WORD: usize = 8;

pub(crate) static INPUT: ExchangeBuffer<{ Text::END / WORD }> = ExchangeBuffer::new();

/// Larger than the longest answer, which is that of [`describe`](crate::describe).
pub(crate) static OUTPUT: ExchangeBuffer<{ OUTPUT_BYTES / WORD }> = ExchangeBuffer::new();

pub(crate) const OUTPUT_BYTES: usize = 16_384;

impl<const WORDS: usize> ExchangeBuffer<WORDS> {
    pub(crate) const fn new() -> Self {
        Self([const { AtomicU64::new(0) }; WORDS])
    }

    /// The address of the buffer in memory.
    pub(crate) fn address(&self) -> usize {
        self.0.as_ptr().addr()
    }

    /// Writes from the start and returns the length. Drops bytes that do not fit; no answer is that long.
    pub(crate) fn write(&self, bytes: &[u8]) -> usize {
        for (word, bytes) in self.0.iter().zip(bytes.chunks(WORD)) {
            let mut padded = [0; WORD];
            padded[..bytes.len()].copy_from_slice(bytes);
            word.store(u64::from_le_bytes(padded), Relaxed);
        }
        bytes.len().min(WORDS * WORD)
    }
}

/// The texts of the input buffer.
#[derive(Clone, Copy)]
pub(crate) enum Text {
    /// An address, an amount or a number.
    Main,
    Tag,
    /// An amount, in addition to an address.
    Amount,
}

/// For a text of more UTF-16 code units, JavaScript passes [`TOO_LONG`] instead of the text, so that no large text is
/// copied. A longer text is not looked at: no secret, address, tag or amount is longer.
pub(crate) const LONGEST_UNITS: usize = 400;

/// The length that stands for a text of more than [`LONGEST_UNITS`].
pub(crate) const TOO_LONG: usize = u32::MAX as usize;

/// A UTF-16 code unit takes at most three bytes in UTF-8.
const ROOM: usize = LONGEST_UNITS * 3;

impl Text {
    const END: usize = 3 * ROOM;

    pub(crate) const fn place(self) -> usize {
        self as usize * ROOM
    }

    /// Calls `look` with the first `length` bytes as text.
    pub(crate) fn read<T>(self, length: usize, look: impl FnOnce(&str) -> T) -> T {
        match length {
            0 => look(""),
            // Nearly all texts are short; clearing a large buffer would take as long as the check itself.
            1..=SHORT => look(text(&self.copy::<SHORT>(length)[..length])),
            // The content of the text does not matter.
            TOO_LONG => look(text(&[b'x'; ROOM])),
            _ => look(text(&self.copy::<ROOM>(length)[..length.min(ROOM)])),
        }
    }

    /// Returns a copy of the first `length` bytes as text. An empty text allocates nothing.
    pub(crate) fn owned(self, length: usize) -> String {
        self.read(length, str::to_owned)
    }

    fn copy<const N: usize>(self, length: usize) -> [u8; N] {
        let mut bytes = [0; N];
        let words = &INPUT.0[self.place() / WORD..];
        for (chunk, word) in bytes.chunks_exact_mut(WORD).zip(words).take(length.div_ceil(WORD)) {
            chunk.copy_from_slice(&word.load(Relaxed).to_le_bytes());
        }
        bytes
    }
}

const SHORT: usize = 96;

/// Returns the text up to the first invalid UTF-8 byte; JavaScript's encoder writes none.
fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap_or_else(|error| {
        str::from_utf8(&bytes[..error.valid_up_to()]).expect("this part is valid, the error says")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_text_reads_back() {
        // The only test that uses the input buffer.
        let text = "0123456789 äöü";
        for (word, bytes) in INPUT.0[Text::Tag.place() / WORD..].iter().zip(text.as_bytes().chunks(WORD)) {
            let mut padded = [0; WORD];
            padded[..bytes.len()].copy_from_slice(bytes);
            word.store(u64::from_le_bytes(padded), Relaxed);
        }
        let read = |length| Text::Tag.read(length, str::to_owned);
        assert_eq!(read(text.len()), text);
        assert_eq!(read(text.len() - 1), "0123456789 äö", "never half a character");
        assert_eq!(read(0), "");
        assert_eq!(read(SHORT).len(), SHORT);
        assert_eq!(read(SHORT + 1).len(), SHORT + 1);
        assert_eq!(read(ROOM + 1).len(), ROOM);
        assert!(read(SHORT + 1).starts_with(text));
        assert!(Text::Main.read(TOO_LONG, str::len) > LONGEST_UNITS);
    }

    #[test]
    fn places_are_whole_words() {
        assert_eq!(ROOM % WORD, 0);
        assert_eq!(Text::END, Text::Amount.place() + ROOM);
    }
}
