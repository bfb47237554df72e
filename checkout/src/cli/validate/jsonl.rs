//! `checkout validate --jsonl`: reads one JSON object per line and writes one answer per line, in the same
//! order; a blank line gives a blank line.
//!
//! ```text
//! input ──> read ── blocks of whole lines ──> a thread per core ── answers, in the order of the blocks ──> write
//! ```
//!
//! A block is what one read returns, so an interactive user gets each answer at once. The number of blocks in progress
//! is bounded, and so is memory, for any input.

use std::io::{self, ErrorKind, Read, Write};
use std::num::NonZero;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

use checkout_core::{Options, Verdict, validate_with};
use parking_lot::Mutex;
use serde_json::json;

use self::question::Question;
use super::super::Outcome;

mod question;

/// Maximum bytes to buffer for an unfinished line. A longer line is refused and discarded.
const LONGEST_LINE: usize = 1 << 20;

/// The usual capacity of a pipe.
const BLOCK: usize = 1 << 16;

/// More threads would only wait for the reader.
const MOST_THREADS: usize = 8;

/// Answers every line. Returns exit code 2 when a line was not a valid question.
pub(super) fn stream(input: impl Read, output: impl Write + Send) -> Outcome {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(MOST_THREADS);
    let misuse = AtomicBool::new(false);
    let (read, written) = thread::scope(|scope| {
        let (work, waiting) = sync_channel::<Job>(1);
        let (order, answers) = sync_channel::<Receiver<Vec<u8>>>(threads);
        // Only the worker threads keep the receiver, so sending fails once they are gone.
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..threads {
            let (waiting, misuse) = (Arc::clone(&waiting), &misuse);
            scope.spawn(move || serve(&waiting, misuse));
        }
        drop(waiting);
        let writer = scope.spawn(move || write(&answers, output));
        let read = Reader { work, order, rest: Vec::new(), skipping: false }.run(input);
        (read, writer.join())
    });
    let written = written.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    written.map_err(|error| format!("Standard output cannot be written: {error}."))?;
    read.map_err(|error| format!("Standard input cannot be read: {error}."))?;
    Ok(if misuse.into_inner() { ExitCode::from(2) } else { ExitCode::SUCCESS })
}

/// Input lines, and the channel for their answers.
struct Job {
    lines: Lines,
    answers: Sender<Vec<u8>>,
}

enum Lines {
    Text(Vec<u8>),
    /// A line over the limit, which was discarded.
    Overlong,
}

struct Reader {
    work: SyncSender<Job>,
    order: SyncSender<Receiver<Vec<u8>>>,
    /// The start of a line whose end has not been read yet.
    rest: Vec<u8>,
    /// Discards input until the end of an overlong line.
    skipping: bool,
}

/// The workers have ended, so no more jobs are accepted.
struct Gone;

impl Reader {
    fn run(mut self, mut input: impl Read) -> io::Result<()> {
        let mut chunk = vec![0; BLOCK];
        loop {
            let length = match input.read(&mut chunk) {
                Ok(0) => break,
                Ok(length) => length,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if self.take(&chunk[..length]).is_err() {
                return Ok(());
            }
        }
        // The last line may lack a newline.
        let last = std::mem::take(&mut self.rest);
        if !last.is_empty() {
            let _ = self.give(Lines::Text(last));
        }
        Ok(())
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), Gone> {
        let first = bytes.iter().position(|byte| *byte == b'\n');
        let start = match (self.skipping, first) {
            (true, None) => return Ok(()),
            (true, Some(first)) => first + 1,
            (false, _) => 0,
        };
        self.skipping = false;
        let bytes = &bytes[start..];
        let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let (lines, rest) = bytes.split_at(end);
        if end > 0 {
            let mut block = std::mem::take(&mut self.rest);
            block.extend_from_slice(lines);
            self.give(Lines::Text(block))?;
        }
        self.rest.extend_from_slice(rest);
        if self.rest.len() > LONGEST_LINE {
            self.rest = Vec::new();
            self.skipping = true;
            self.give(Lines::Overlong)?;
        }
        Ok(())
    }

    fn give(&self, lines: Lines) -> Result<(), Gone> {
        let (answers, receiver) = channel();
        self.work.send(Job { lines, answers }).map_err(|_| Gone)?;
        self.order.send(receiver).map_err(|_| Gone)
    }
}

/// Runs jobs until the queue is closed.
fn serve(waiting: &Mutex<Receiver<Job>>, misuse: &AtomicBool) {
    loop {
        let job = waiting.lock().recv();
        let Ok(Job { lines, answers }) = job else { return };
        let mut text = Vec::new();
        match lines {
            Lines::Overlong => answer(Err(overlong()), &mut text, misuse),
            Lines::Text(block) => {
                // There is no line after the last newline.
                for line in block.strip_suffix(b"\n").unwrap_or(&block).split(|byte| *byte == b'\n') {
                    if line.trim_ascii().is_empty() {
                        text.push(b'\n');
                    } else {
                        answer(verdict(line), &mut text, misuse);
                    }
                }
            }
        }
        // The writer may have stopped.
        let _ = answers.send(text);
    }
}

fn write(answers: &Receiver<Receiver<Vec<u8>>>, mut output: impl Write) -> io::Result<()> {
    for block in answers {
        // A thread that panicked sends no answer. Its panic is propagated when the threads are joined.
        let Ok(text) = block.recv() else { return Ok(()) };
        match output.write_all(&text).and_then(|()| output.flush()) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            written => written?,
        }
    }
    Ok(())
}

fn verdict(line: &[u8]) -> Result<Verdict, String> {
    if line.len() > LONGEST_LINE {
        return Err(overlong());
    }
    let question = Question::read(line)?;
    let mut options = Options::STRICT;
    options.memo_type = question.memo_type;
    let Question { currency, network, address, destination_tag, .. } = &question;
    Ok(validate_with(currency, network, address, destination_tag.as_deref(), &options))
}

fn overlong() -> String {
    format!("the line is longer than {LONGEST_LINE} bytes")
}

fn answer(verdict: Result<Verdict, String>, text: &mut Vec<u8>, misuse: &AtomicBool) {
    let written = match verdict {
        Ok(verdict) => serde_json::to_writer(&mut *text, &verdict),
        Err(error) => {
            misuse.store(true, Ordering::Relaxed);
            serde_json::to_writer(&mut *text, &json!({"valid": false, "supported": false, "error": error}))
        }
    };
    written.expect("texts are JSON, and memory takes them");
    text.push(b'\n');
}

#[cfg(test)]
mod tests;
