//! The WebAssembly module of `@crypto-checkout/core`. JavaScript calls its functions with numbers only.
//!
//! The caller writes texts to the input buffer, passes their lengths in bytes, and reads texts from the output buffer
//! (src/exchange.rs). A pair is a row number of [`Table::All`](checkout_core::Table::All); a code is an index into the
//! lists that `describe` writes once. The JavaScript side is `package/api.js`.

mod amounts;
mod describe;
mod exchange;
mod options;
mod payment_uri;
mod verdict;

pub use options::{bits_of, option_names};
pub use verdict::check;

/// The functions that JavaScript calls.
#[allow(unsafe_code, reason = "`no_mangle`: the linker cannot check that a name is unique; these names are")]
mod exports {
    use crate::exchange::{INPUT, OUTPUT, Text};
    use crate::{amounts, describe, payment_uri, verdict};

    /// The address of the input buffer. The main text is at byte 0, other texts at their [`Text::place`].
    #[unsafe(no_mangle)]
    pub(crate) extern "C" fn input() -> usize {
        INPUT.address()
    }

    /// The address of the output buffer.
    #[unsafe(no_mangle)]
    pub(crate) extern "C" fn output() -> usize {
        OUTPUT.address()
    }

    /// Writes the code lists and tables as JSON to the output; returns the length.
    #[unsafe(no_mangle)]
    pub(crate) extern "C" fn describe() -> usize {
        OUTPUT.write(describe::json().as_bytes())
    }

    /// Returns the verdict as bits, see [`verdict::Bits`]; writes its texts to the output.
    #[unsafe(no_mangle)]
    pub(crate) extern "C" fn validate(pair: usize, address: usize, tag: usize, options: u32) -> u32 {
        let tag = Text::Tag.owned(tag);
        Text::Main.read(address, |address| {
            let verdict = verdict::check(pair, address, &tag, options);
            verdict::write(&verdict, address, &OUTPUT)
        })
    }

    /// Returns 1 if the address is valid, else 0. Faster than [`validate`], because it computes no normal form.
    #[unsafe(no_mangle)]
    pub(crate) extern "C" fn is_valid(pair: usize, address: usize, tag: usize, options: u32) -> u32 {
        let tag = Text::Tag.owned(tag);
        Text::Main.read(address, |address| u32::from(verdict::is_valid(pair, address, &tag, options)))
    }

    /// Returns 0 and writes the atoms as 16 little-endian bytes to the output; or returns the length of an error there.
    #[unsafe(no_mangle)]
    pub(crate) extern "C" fn parse_amount(pair: usize, text: usize) -> usize {
        match amounts::parse(pair, &Text::Main.owned(text)) {
            Ok(atoms) => {
                OUTPUT.write(&atoms.to_le_bytes());
                0
            }
            Err(failure) => OUTPUT.write(failure.to_text().as_bytes()),
        }
    }

    /// Writes the decimal text of the atoms, which the input has as digits. Returns its length, negative if the text
    /// is an error.
    #[unsafe(no_mangle)]
    pub(crate) extern "C" fn format_amount(pair: usize, digits: usize) -> isize {
        answer(amounts::format(pair, &Text::Main.owned(digits)))
    }

    /// Writes the payment URI, with an amount (a decimal text) if `with_amount` is 1. Returns its length, negative if
    /// the text is an error.
    #[unsafe(no_mangle)]
    pub(crate) extern "C" fn payment_uri(
        pair: usize,
        address: usize,
        tag: usize,
        with_amount: u32,
        amount: usize,
        options: u32,
    ) -> isize {
        let (address, tag, amount) =
            (Text::Main.owned(address), Text::Tag.owned(tag), Text::Amount.owned(amount));
        let amount = (with_amount == 1).then_some(amount.as_str());
        answer(payment_uri::write(pair, &address, &tag, amount, options))
    }

    fn answer(result: Result<String, amounts::Failure>) -> isize {
        let length = |text: String| OUTPUT.write(text.as_bytes()).cast_signed();
        match result {
            Ok(text) => length(text),
            Err(failure) => -length(failure.to_text()),
        }
    }
}
