//! One chromedriver for all journeys, as long as one of them runs.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::places;

#[derive(Debug)]
pub(crate) struct Driver {
    process: Child,
    pub(crate) url: String,
}

static SHARED: Mutex<Weak<Driver>> = Mutex::new(Weak::new());

impl Driver {
    /// Returns the running driver, or starts one.
    pub(crate) fn shared() -> Arc<Self> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(driver) = shared.upgrade() {
            return driver;
        }
        let driver = Arc::new(Self::start());
        *shared = Arc::downgrade(&driver);
        driver
    }

    fn start() -> Self {
        let path = places::chromedriver();
        let mut process = Command::new(&path)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{} does not start: {error}", path.display()));
        let output = process.stdout.take().expect("its output is piped");
        let mut said = String::new();
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            said.push_str(&line);
            said.push('\n');
            let port = line.split("started successfully on port ").nth(1);
            if let Some(port) = port.and_then(|text| text.trim_end_matches('.').parse::<u16>().ok()) {
                return Self { process, url: format!("http://127.0.0.1:{port}") };
            }
        }
        let _ = process.wait();
        panic!("{} ended before it listened:\n{said}", path.display());
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Every journey has closed its session, so no browser remains.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
