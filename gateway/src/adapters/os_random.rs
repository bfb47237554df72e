//! The operating system's random numbers.

use checkout_domain::ports::Random;

#[derive(Clone, Copy, Debug)]
pub struct OsRandom;

impl Random for OsRandom {
    fn fill(&self, bytes: &mut [u8]) {
        getrandom::fill(bytes).expect("the operating system has random numbers once it has started");
    }
}
