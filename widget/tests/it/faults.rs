//! Each connection fault for 15 minutes: the page's message, its number of calls, and its recovery time.

use checkout_widget::event::{Answer, Body, Reply, What};

use crate::payments::{pending, seen};
use crate::player::{Player, body_of};

/// The effect on every call.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// The connection breaks after this time.
    Breaks(u64),
    /// No answer and no end: the browser lost the call.
    Hangs,
    Status(u16),
    /// The gateway asks to wait this many seconds.
    Wait(u16, u32),
    /// An answer that is not the payment.
    Unreadable,
    /// An answer from before the last one.
    Older,
}

/// The page's message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    Offline,
    Busy,
    /// The data on the page is current.
    Nothing,
}

const FAULTS: [(Fault, Says); 21] = [
    (Fault::Breaks(0), Says::Offline),
    (Fault::Breaks(900), Says::Offline),
    (Fault::Breaks(9_900), Says::Offline),
    (Fault::Hangs, Says::Offline),
    (Fault::Status(301), Says::Offline),
    (Fault::Status(308), Says::Offline),
    (Fault::Status(400), Says::Offline),
    (Fault::Status(401), Says::Offline),
    (Fault::Status(403), Says::Offline),
    (Fault::Status(404), Says::Offline),
    (Fault::Status(410), Says::Offline),
    (Fault::Status(500), Says::Offline),
    (Fault::Status(502), Says::Offline),
    (Fault::Status(503), Says::Offline),
    (Fault::Status(504), Says::Offline),
    (Fault::Status(429), Says::Busy),
    (Fault::Wait(429, 600), Says::Busy),
    (Fault::Wait(503, 600), Says::Busy),
    (Fault::Wait(429, 2), Says::Busy),
    (Fault::Unreadable, Says::Offline),
    (Fault::Older, Says::Nothing),
];

/// A page on which the fault starts now.
struct Patient {
    player: Player,
    /// When the call in flight is answered.
    answer_at: Option<u64>,
    calls: u32,
}

impl Patient {
    fn new(seed: u64) -> Self {
        let mut player = Player::open(pending());
        player.watch(pending());
        // A different phase, and therefore different random numbers.
        for _ in 0..seed {
            player.wait_for_call();
            player.lose();
            player.watch(pending());
        }
        Self { player, answer_at: None, calls: 0 }
    }

    /// Runs the fault up to `end`; the page wakes itself.
    fn suffer(&mut self, fault: Fault, end: u64) {
        while self.player.now < end {
            let wake = self.player.now + self.player.wake();
            match self.answer_at.filter(|at| *at <= wake) {
                Some(at) => {
                    self.answer_at = None;
                    self.player.now = self.player.now.max(at);
                    self.player.play(self.answer(fault));
                }
                None if wake > end => break,
                None => self.player.wait(self.player.wake()),
            }
            if self.player.call().is_some() {
                self.calls += 1;
                self.answer_at = match fault {
                    Fault::Hangs => None,
                    Fault::Breaks(after) => Some(self.player.now + after),
                    _ => Some(self.player.now + 80),
                };
            }
        }
    }

    fn answer(&self, fault: Fault) -> What {
        let call = self.player.page.shared.connection.in_flight.map_or(0, |flight| flight.id);
        let reply = |reply| Answer::Reply(Box::new(reply));
        let answer = match fault {
            Fault::Breaks(_) | Fault::Hangs => Answer::None,
            Fault::Status(status) => reply(self.player.bare(status)),
            Fault::Wait(status, seconds) => {
                reply(Reply { retry_after: Some(seconds), ..self.player.bare(status) })
            }
            Fault::Unreadable => reply(Reply { body: Body::Unreadable, ..self.player.bare(200) }),
            Fault::Older => reply(Reply { body: body_of(1, seen()), ..self.player.bare(200) }),
        };
        What::Answered { call, answer }
    }

    /// The fault is over: a call in flight breaks, and the next one is answered. Returns the recovery time.
    fn recover(&mut self) -> u64 {
        let end = self.player.now;
        if self.player.page.shared.connection.in_flight.is_some() {
            self.player.lose();
        }
        self.player.wait_for_call();
        self.player.see(seen());
        assert!(self.player.model().connection.online && self.player.model().connection.text.is_empty());
        assert_eq!(self.player.screen(), "seen");
        self.player.now - end
    }

    fn says(&self) -> Says {
        let connection = self.player.model().connection;
        match (connection.online, connection.text.contains("within 30 seconds")) {
            (false, _) => Says::Offline,
            (true, true) => Says::Busy,
            (true, false) => Says::Nothing,
        }
    }
}

#[test]
fn the_page_shows_the_state_of_the_connection() {
    for (fault, says) in FAULTS {
        let mut page = Patient::new(0);
        let begin = page.player.now;
        // Two polls and the longest answer.
        page.suffer(fault, begin + 25_000);
        assert_eq!((page.says(), page.player.screen()), (says, "pay"), "{fault:?}");
    }
}

#[test]
fn the_page_recovers_within_five_seconds() {
    for (fault, _) in FAULTS {
        for seed in 0..20 {
            let mut page = Patient::new(seed);
            page.suffer(fault, page.player.now + 8_000 + seed * 731);
            let longest = match fault {
                // It follows Retry-After, but for at most 30 seconds.
                Fault::Wait(_, seconds) => 1_000 * u64::from(seconds.min(30)) + 6_000,
                _ => 5_000,
            };
            let took = page.recover();
            assert!(took <= longest, "{fault:?}, {seed}: {took} ms");
        }
    }
}

#[test]
fn the_page_makes_at_most_120_calls_in_15_minutes() {
    for (fault, _) in FAULTS {
        for seed in 0..6 {
            let mut page = Patient::new(seed);
            page.suffer(fault, page.player.now + 15 * 60_000);
            assert!((20..=120).contains(&page.calls), "{fault:?}, {seed}: {} calls", page.calls);
        }
    }
}
