//! The paths of the repository, its target folder and the user's cache folder.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::{Outcome, files, process};

/// Separate workspaces of the repository, because they have other dependencies or compiler flags.
pub(crate) const BENCHMARKS: &str = "core/bench/Cargo.toml";
pub(crate) const FUZZ_TARGETS: &str = "core/fuzz/Cargo.toml";
pub(crate) const BINDINGS: &str = "bindings/Cargo.toml";
pub(crate) const ORACLES: &str = "core/oracles/Cargo.toml";

/// Selects what is tested: xtask-bindgen has no tests, and would be recompiled with the other packages' features.
pub(crate) const TESTED: &[&str] = &["--workspace", "--exclude", "xtask-bindgen"];

pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    pub(crate) target: PathBuf,
    /// Tools that all clones share, one folder per tool and version.
    pub(crate) tools: PathBuf,
    /// What one run leaves to the next one on this machine, also in another clone.
    pub(crate) cache: PathBuf,
    /// Its members.
    pub(crate) packages: Vec<Package>,
}

/// How the program and the site are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// For serving and testing on this machine, compiled in the least time.
    Debug,
    Release,
}

/// What `cargo metadata` writes.
#[derive(Deserialize)]
struct Metadata {
    target_directory: PathBuf,
    packages: Vec<Package>,
}

/// One member of the workspace and the dependencies in its manifest.
#[derive(Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    manifest_path: PathBuf,
    /// From the root of the repository.
    #[serde(skip)]
    pub(crate) folder: String,
    pub(crate) dependencies: Vec<Dependency>,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    kind: Option<String>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
    test: bool,
}

impl Dependency {
    pub(crate) fn is_for_tests_only(&self) -> bool {
        self.kind.as_deref() == Some("dev")
    }
}

impl Package {
    /// Its test programs, each as arguments of `cargo test`.
    pub(crate) fn tests(&self) -> impl Iterator<Item = String> {
        let tests = self.targets.iter().filter(|target| target.test);
        tests.map(|test| target(&test.kind[0], &test.name))
    }

    /// The programs that `cargo test` compiles of it: the tests, and those that they start.
    pub(crate) fn executables(&self) -> usize {
        let of_kind = |kind: &str| self.targets.iter().filter(|target| target.kind[0] == kind).count();
        self.tests().count() + if of_kind("test") > 0 { of_kind("bin") } else { 0 }
    }
}

/// Selects a target of a package, in one text of two arguments or one.
pub(crate) fn target(kind: &str, name: &str) -> String {
    match kind {
        "bin" | "test" | "example" => format!("--{kind} {name}"),
        _ => "--lib".to_owned(),
    }
}

impl Workspace {
    pub(crate) fn find() -> Outcome<Self> {
        let manifest = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = Path::new(&manifest).parent().expect("xtask/ lies in the repository").to_owned();
        let arguments = "metadata --no-deps --offline --format-version 1";
        let mut metadata: Metadata = process::json(process::cargo(&root).args(arguments.split(' ')))?;
        for package in &mut metadata.packages {
            let folder = package.manifest_path.parent().and_then(|folder| folder.strip_prefix(&root).ok());
            package.folder = folder.unwrap_or(Path::new("")).display().to_string();
        }
        let named = env::var_os("XDG_CACHE_HOME").filter(|value| !value.is_empty()).map(PathBuf::from);
        let cache = named.or_else(|| Some(env::home_dir()?.join(".cache")));
        let cache = cache.ok_or("Neither HOME nor XDG_CACHE_HOME is set; set one to store tools there.")?;
        let cache = cache.join("crypto-checkout");
        let Metadata { target_directory: target, packages } = metadata;
        let workspace = Self { root, target, tools: cache.join("tools"), cache, packages };
        files::create_folder(&workspace.tools)?;
        files::create_folder(&workspace.scratch())?;
        Ok(workspace)
    }

    pub(crate) fn cargo(&self) -> std::process::Command {
        let mut cargo = process::cargo(&self.root);
        if self.target != self.root.join("target") {
            cargo.env("CHECKOUT_TARGET", &self.target);
        }
        cargo
    }

    /// Cargo for another workspace of the repository, with this one's target folder, so that shared dependencies are
    /// compiled once.
    pub(crate) fn cargo_of(&self, manifest: &str, command: &str) -> std::process::Command {
        let mut cargo = self.cargo();
        cargo.arg(command).arg("--manifest-path").arg(self.root.join(manifest));
        cargo.arg("--target-dir").arg(&self.target);
        cargo
    }

    /// The folder of the built pages and widget, which a release embeds and a debug build reads, or of the kit.
    pub(crate) fn built(&self, name: &str, profile: Profile) -> PathBuf {
        self.target.join(if profile == Profile::Release { name.to_owned() } else { format!("{name}-debug") })
    }

    /// The folder for intermediate files of this tool.
    pub(crate) fn scratch(&self) -> PathBuf {
        self.target.join("xtask")
    }

    /// Waits until no other process does the same; dropping the file lets the next one in.
    pub(crate) fn lock(&self, work: &str) -> Outcome<File> {
        files::lock(&self.scratch().join(format!("{work}.lock")))
    }

    /// What a step wrote.
    pub(crate) fn log_of(&self, step: &str) -> PathBuf {
        self.scratch().join(format!("{}.log", step.replace(' ', "-")))
    }

    /// Returns a setting of cargo for a target, with flags that shorten the source paths in panic messages, so that they are the
    /// same on every machine and name no home folder.
    pub(crate) fn rustflags(&self, target: &str, more: &[&str]) -> String {
        let cargo_home =
            env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
        let registries = cargo_home.as_ref().and_then(|home| fs::read_dir(home.join("registry/src")).ok());
        let registries: Vec<PathBuf> =
            registries.into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        let mut flags: Vec<String> = more.iter().map(|flag| (*flag).to_owned()).collect();
        // The last prefix that matches is used.
        let homes = [self.root.clone()].into_iter().chain(cargo_home).chain(registries);
        flags.extend(homes.map(|home| format!("--remap-path-prefix={}=", home.display())));
        format!("target.{target}.rustflags={}", Value::from(flags))
    }

    /// Returns the version of a package in Cargo.lock.
    pub(crate) fn locked_version(&self, package: &str) -> Outcome<String> {
        let id = process::capture(self.cargo().args(["pkgid", "--offline", package]))?;
        Ok(id.trim().rsplit('@').next().unwrap_or_default().to_owned())
    }
}
