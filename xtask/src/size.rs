//! `cargo xtask size`: compares what a payer's browser downloads with the budgets.

use crate::folder::{Files, read_all};
use crate::site;
use crate::workspace::{Profile, Workspace};
use crate::{Outcome, setup};

/// Compressed bytes of page, style, script and module. The goal is 175 000; the current size is 20 700 above
/// it, mostly due to the module. The same source differs by 150 bytes between machines, so that the
/// limit is 400 above what one of them measures.
const PAGE_BYTES: usize = 196_100;
/// Requests for those files and to the API.
const REQUESTS: usize = 6;
/// Compressed bytes of the script on a merchant's page, with its own texts in eight languages.
const LOADER_BYTES: usize = 5_500;
/// Compressed bytes of the script that the page loads when a wallet in the browser announces itself.
const WALLET_BYTES: usize = 4_500;

const PAGE: &str = "checkout.html";
const LOADER: &str = "embed.js";
const WALLET: &str = "assets/wallet-";
const API_CALLS: &[&str] = &["GET /api/v1/checkout/{paymentId}", "PATCH /api/v1/payments/{paymentId}"];

pub(crate) fn run(workspace: &Workspace) -> Outcome<()> {
    setup::for_building(workspace)?;
    site::build(workspace, Profile::Release)?;
    check(workspace)
}

/// Measures the site in `target/site`.
pub(crate) fn check(workspace: &Workspace) -> Outcome<()> {
    let (table, kept) = measure(&read_all(&workspace.site(Profile::Release))?)?;
    print!("{table}");
    if kept { Ok(()) } else { Err("A size budget is exceeded: see the lines marked OVER above.".to_owned()) }
}

/// Prints a measured number with its limit; an exceeded limit is an error.
pub(crate) fn within(what: &str, measured: usize, limit: usize) -> Outcome<()> {
    print!("{}", row(what, measured, limit));
    if measured <= limit { Ok(()) } else { Err(format!("Over budget: {what}.")) }
}

fn row(what: &str, measured: usize, limit: usize) -> String {
    format!("{what:<44} {measured:>9} {limit:>9}  {}\n", if measured <= limit { "ok" } else { "OVER" })
}

/// Returns the table, and whether every budget is kept.
fn measure(files: &Files) -> Outcome<(String, bool)> {
    let compressed = |name: &str| {
        files.get(&format!("{name}.br")).map(Vec::len).ok_or_else(|| format!("The site has no {name}.br."))
    };
    let downloads = downloads(files)?;
    let mut table = String::from("the hosted page (brotli bytes)\n");
    let mut total = 0;
    for name in &downloads {
        let bytes = compressed(name)?;
        total += bytes;
        table.push_str(&format!("    {name:<40} {bytes:>9}\n"));
    }
    for call in API_CALLS {
        table.push_str(&format!("    {call:<40} {:>9}\n", "1 call"));
    }
    let budgets = [
        ("bytes in all", total, PAGE_BYTES),
        ("requests in all", downloads.len() + API_CALLS.len(), REQUESTS),
        ("bytes of embed.js", compressed(LOADER)?, LOADER_BYTES),
        ("bytes for wallets in the browser", compressed(wallet(files)?)?, WALLET_BYTES),
    ];
    table.push_str(&format!("\n{:<44} {:>9} {:>9}\n", "budget", "measured", "limit"));
    table.extend(budgets.map(|(what, measured, limit)| row(what, measured, limit)));
    Ok((table, budgets.iter().all(|(_, measured, limit)| measured <= limit)))
}

fn wallet(files: &Files) -> Outcome<&str> {
    let is_script = |name: &&String| matches!(name.rsplit_once('.'), Some((_, "js")));
    let found = files.keys().filter(|name| name.starts_with(WALLET)).find(is_script);
    found.map(String::as_str).ok_or_else(|| format!("The site has no {WALLET}*.js."))
}

/// The page and all files that every visit loads, directly or through other files.
fn downloads(files: &Files) -> Outcome<Vec<String>> {
    let mut all = vec![PAGE.to_owned()];
    let mut read = 0;
    while let Some(name) = all.get(read) {
        let content =
            files.get(name).ok_or_else(|| format!("The site lacks {name}, which the page refers to."))?;
        // A script fetches a style only if a proxy has changed that of the page.
        let is_script = name.ends_with(".js");
        for name in references(&String::from_utf8_lossy(content)) {
            let is_later = name.starts_with(WALLET) || is_script && name.ends_with(".css");
            if !is_later && !all.contains(&name) {
                all.push(name);
            }
        }
        read += 1;
    }
    Ok(all)
}

fn references(text: &str) -> Vec<String> {
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || "-_./".contains(letter);
    let names = text.split("/assets/").skip(1).map(|rest| rest.split(|letter| !is_of_name(letter)).next());
    names.flatten().map(|name| format!("assets/{name}")).collect()
}

#[cfg(test)]
mod tests {
    use super::{Files, PAGE_BYTES, downloads, measure};

    const PAGE: &str = "<link href=/assets/checkout-1.css><script src=\"/assets/checkout-2.js\"></script>";
    const SCRIPT: &[u8] =
        b"load('/assets/checkout-3.wasm'); later(() => import('/assets/wallet-4.js')); restyle('/assets/checkout-5.css')";

    /// A site whose module has this many bytes after compression.
    fn site(page: &str, wasm: usize, loader: usize) -> Files {
        let files: [(&str, &[u8], usize); 7] = [
            ("checkout.html", page.as_bytes(), 1_000),
            ("assets/checkout-1.css", b"a{}", 2_000),
            ("assets/checkout-2.js", SCRIPT, 4_000),
            ("assets/wallet-4.js", b"", 3_000),
            ("assets/checkout-3.wasm", b"\0asm", wasm),
            ("assets/unused.svg", b"<svg/>", 9_000),
            ("embed.js", b"", loader),
        ];
        let both = files.into_iter().flat_map(|(name, content, compressed)| {
            [(name.to_owned(), content.to_vec()), (format!("{name}.br"), vec![0; compressed])]
        });
        both.collect()
    }

    #[test]
    #[rustfmt::skip]
    fn figures_are_shown_with_their_limits_and_an_exceeded_one_fails() {
        let (limit, over) = (PAGE_BYTES, PAGE_BYTES + 1);
        let one_more = format!("{PAGE}<img src=/assets/unused.svg>");
        let fine = [&format!("bytes in all 77000 {limit} ok"), "requests in all 6 6 ok", "bytes of embed.js 1500 5500 ok",
            "bytes for wallets in the browser 3000 4500 ok"];
        for (files, lines, kept) in [
            (site(PAGE, 70_000, 1_500), &fine[..], true),
            (site(PAGE, PAGE_BYTES - 6_999, 1_500), &[&format!("bytes in all {over} {limit} OVER")], false),
            (site(PAGE, 168_000, 5_501), &["bytes of embed.js 5501 5500 OVER"], false),
            (site(&one_more, 1, 1), &["requests in all 7 6 OVER"], false),
        ] {
            let (table, all) = measure(&files).expect("complete");
            let has = |line: &&str| table.lines().any(|have| have.split_whitespace().eq(line.split_whitespace()));
            assert!(lines.iter().all(has) && all == kept, "{lines:?}: {table}");
        }
        let sentence = downloads(&site("<img src='/assets/gone.svg'>", 1, 1)).expect_err("no such file");
        assert!(sentence.contains("assets/gone.svg"), "{sentence}");
    }
}
