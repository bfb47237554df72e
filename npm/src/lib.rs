//! The module behind `@crypto-checkout/core`: what JavaScript calls, by numbers only.
//!
//! A caller writes texts into the input, calls with their lengths in bytes, and reads what is longer than a number
//! from the output (src/exchange.rs). Pairs are rows of [`PAIRS`](checkout_core::pair::PAIRS); words are
//! places in the lists that `describe` writes once. `package/api.js` is the other side.

mod amounts;
mod describe;
mod exchange;
mod options;
mod payment_uri;
mod verdict;

pub use options::{bits_of, option_names};
pub use verdict::check;

/// The names that JavaScript knows.
#[allow(
    unsafe_code,
    reason = "`no_mangle`: the linker cannot tell whether a name is taken; these are ours alone"
)]
mod exports {
    use crate::exchange::{INPUT, OUTPUT, Text};
    use crate::{amounts, describe, payment_uri, verdict};

    /// Where texts go in: the address (or other main text) from byte 0, the tag from [`Text::Tag`]'s place.
    #[unsafe(no_mangle)]
    pub(crate) extern "C" fn input() -> usize {
        INPUT.address()
    }

    /// Where texts come out.
    #[unsafe(no_mangle)]
    pub(crate) extern "C" fn output() -> usize {
        OUTPUT.address()
    }

    /// The word lists and tables as JSON in the output; the answer is its length.
    #[unsafe(no_mangle)]
    pub(crate) extern "C" fn describe() -> usize {
        OUTPUT.write(describe::json().as_bytes())
    }

    /// The verdict as bits, see [`verdict::Bits`]; its texts are in the output.
    #[unsafe(no_mangle)]
    pub(crate) extern "C" fn validate(pair: usize, address: usize, tag: usize, options: u32) -> u32 {
        let tag = Text::Tag.owned(tag);
        Text::Main.read(address, |address| {
            let verdict = verdict::check(pair, address, &tag, options);
            verdict::write(&verdict, address, &OUTPUT)
        })
    }

    /// 1 when the address is valid, else 0: cheaper than [`validate`], because no normal form is made.
    #[unsafe(no_mangle)]
    pub(crate) extern "C" fn is_valid(pair: usize, address: usize, tag: usize, options: u32) -> u32 {
        let tag = Text::Tag.owned(tag);
        Text::Main.read(address, |address| u32::from(verdict::is_valid(pair, address, &tag, options)))
    }

    /// 0 and the 16 little-endian bytes of the atoms in the output; or the length of an error there.
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

    /// The decimal text of the atoms that stand in the input as digits. The length is negative when the text is an
    /// error.
    #[unsafe(no_mangle)]
    pub(crate) extern "C" fn format_amount(pair: usize, digits: usize) -> isize {
        answer(amounts::format(pair, &Text::Main.owned(digits)))
    }

    /// The payment URI, with the amount of a decimal text when `with_amount` is 1. The length is negative when the
    /// text is an error.
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
