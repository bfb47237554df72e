//! `checkout validate --jsonl` uses bounded memory for any input.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;

/// The baseline memory of such a process, plus room for a few blocks per thread.
const MEMORY: u64 = 64 << 20;

/// The peak memory of the process, in bytes.
fn peak(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() * 1024
}

/// Writes input and counts the output lines. Returns the count, the exit code and the peak memory.
fn feed(write: impl FnOnce(&mut ChildStdin) + Send + 'static) -> (usize, Option<i32>, u64) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_checkout"))
        .args(["validate", "--jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    // Keeps standard input open until the memory was measured, because the process may end afterwards.
    let (looked, look) = std::sync::mpsc::channel::<()>();
    let (sent, last) = std::sync::mpsc::channel::<()>();
    let writer = thread::spawn(move || {
        write(&mut input);
        input.write_all(b"\"last\"\n").unwrap();
        sent.send(()).unwrap();
        look.recv().unwrap();
    });
    let mut lines = 0;
    let mut memory = 0;
    for line in output.lines() {
        lines += 1;
        if line.unwrap().contains("not a JSON object") {
            last.recv().unwrap();
            memory = peak(&child);
            looked.send(()).unwrap();
        }
    }
    writer.join().unwrap();
    (lines, child.wait().unwrap().code(), memory)
}

#[test]
fn a_million_lines() {
    let (lines, code, memory) = feed(|input| {
        let line = b"{\"currency\":\"BTC\",\"network\":\"BTC\",\"address\":\"x\"}\n".repeat(1_000);
        (0..1_000).for_each(|_| input.write_all(&line).unwrap());
    });
    assert_eq!((lines, code), (1_000_001, Some(2)));
    assert!(memory < MEMORY, "{memory} bytes");
}

#[test]
fn a_line_of_a_hundred_megabytes_needs_little_memory() {
    let (lines, code, memory) = feed(|input| {
        let part = vec![b'x'; 1 << 20];
        (0..100).for_each(|_| input.write_all(&part).unwrap());
        input.write_all(b"\n").unwrap();
    });
    assert_eq!((lines, code), (2, Some(2)));
    assert!(memory < MEMORY, "{memory} bytes");
}
