//! The checkout as a pure state machine: its states, effects, announcements and rendered pages. No browser.

mod browser_wallet;
mod choosing;
mod claiming;
mod drawn;
mod embedding;
mod faults;
mod held;
mod languages;
mod leaving;
mod looking_up;
mod many_deposits;
mod never_deaf;
mod paid_twice;
mod paying;
mod payments;
mod player;
mod protocol;
mod qr;
mod reusable;
mod settling;
mod starting;
mod test_networks;
mod tokens;
mod wallets;
mod watching;
mod words;
