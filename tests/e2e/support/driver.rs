//! The WebDriver of an engine. One chromedriver serves all journeys, as long as one of them runs; the other drivers have
//! one session each.

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Weak};
use std::time::Instant;

use super::engine::Engine;
use super::places;
use super::wait::LOOK;
use checkout_test_support::{Leashed, patience};
use parking_lot::Mutex;

#[derive(Debug)]
pub(crate) struct Driver {
    pub(crate) url: String,
    _process: Process,
    /// WebKitGTK draws on a screen.
    _screen: Option<Process>,
}

static SHARED: Mutex<Weak<Driver>> = Mutex::new(Weak::new());

impl Driver {
    /// A driver of the engine. `profile` is an empty folder.
    pub(crate) fn of(engine: Engine, profile: &Path) -> Arc<Self> {
        match engine {
            Engine::Chromium => Self::shared(),
            Engine::Firefox => Arc::new(Self::gecko(profile)),
            Engine::WebKit => Arc::new(Self::webkit(profile)),
        }
    }

    /// Returns the running chromedriver, or starts one.
    fn shared() -> Arc<Self> {
        let mut shared = SHARED.lock();
        if let Some(driver) = shared.upgrade() {
            return driver;
        }
        let mut process = Process::start(Command::new(places::chromedriver()).arg("--port=0"));
        let port = process.until_it_says("started successfully on port ");
        let driver = Arc::new(Self::at(port.trim_end_matches('.'), process, None));
        *shared = Arc::downgrade(&driver);
        driver
    }

    fn gecko(profile: &Path) -> Self {
        let mut command = Command::new(places::geckodriver());
        let mut process = Process::start(command.args(["--port", "0", "--profile-root"]).arg(profile));
        let port = process.until_it_says("Listening on 127.0.0.1:");
        Self::at(&port, process, None)
    }

    fn webkit(profile: &Path) -> Self {
        // 1 is its standard output.
        let mut xvfb = Command::new(places::xvfb());
        xvfb.args(["-displayfd", "1", "-screen", "0", "1400x1800x24", "-nolisten", "tcp"]);
        let mut screen = Process::start(&mut xvfb);
        let display = format!(":{}", screen.until_it_says(""));
        let port = free_port();
        let mut command = Command::new(places::webkit_driver());
        command.arg(format!("--port={port}")).env("DISPLAY", display).env("NO_AT_BRIDGE", "1");
        command.env("GSETTINGS_BACKEND", "memory");
        // Without a graphics card OpenGL is emulated, with more work than all else.
        command.env("WEBKIT_DISABLE_COMPOSITING_MODE", "1");
        for folder in ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"] {
            command.env(folder, profile.join(folder));
        }
        let process = Process::start(&mut command);
        let deadline = Instant::now() + patience();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < deadline, "WebKitWebDriver does not listen on port {port}");
            std::thread::sleep(LOOK);
        }
        Self::at(&port.to_string(), process, Some(screen))
    }

    fn at(port: &str, process: Process, screen: Option<Process>) -> Self {
        Self { url: format!("http://127.0.0.1:{port}"), _process: process, _screen: screen }
    }
}

/// WebKitWebDriver does not say which port it took.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.local_addr().expect("it listens").port()
}

/// A driver with the browsers that it started, or their screen.
#[derive(Debug)]
struct Process {
    child: Leashed,
    name: String,
}

impl Process {
    fn start(command: &mut Command) -> Self {
        let name = command.get_program().to_string_lossy().into_owned();
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let child = Leashed::spawn(command);
        Self { child: child.unwrap_or_else(|error| panic!("{name} does not start: {error}")), name }
    }

    /// The rest of the line after these words. Later output is thrown away.
    fn until_it_says(&mut self, words: &str) -> String {
        let output = self.child.stdout.take().expect("its output is piped");
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        let mut said = String::new();
        for line in lines.by_ref() {
            if let Some((_, rest)) = line.split_once(words) {
                let rest = rest.to_owned();
                std::thread::spawn(move || lines.for_each(drop));
                return rest;
            }
            said.push_str(&line);
            said.push('\n');
        }
        panic!("{} ended before it was ready:\n{said}", self.name);
    }
}
