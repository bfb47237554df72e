//! Every sample of the reference reaches its endpoint with a request that the gateway understands, in each language.

use super::guide::{Sample, samples};
use super::reader::Reader;
use crate::support::gateway::{Gateway, order};

/// An id that nothing has.
const NOBODY: &str = "01a3185c-50fa-7000-8000-0000000000ff";

/// Statuses of a request that was understood: done, or refused because of what it names.
const UNDERSTOOD: [&str; 6] = ["200", "201", "303", "403", "404", "409"];

/// With a body that was understood, whose amount is more than there is.
const REFUSED: [&str; 2] = ["createWithdrawal 422", "createRefund 422"];

#[test]
fn curl() {
    let before = "set -u
curl() { command curl --silent --show-error --output /dev/null --write-out '%{http_code}\\n' \"$@\"; }\n";
    check("sh", |samples| {
        let each = samples.iter().map(|sample| format!("printf '{} '\n{}", sample.section, sample.code));
        (format!("{before}{}", each.collect::<String>()), "samples.sh", "sh samples.sh")
    });
}

#[test]
fn typescript() {
    let before = "const { log } = console;
console.log = () => {};
let section = '';
const fetched = globalThis.fetch;
globalThis.fetch = async (...request) => {
  const response = await fetched(...request);
  log(section, response.status);
  return response;
};\n";
    check("ts", |samples| {
        let (first, rest) = samples.split_first().expect("the overview has the first lines");
        let each =
            rest.iter().map(|sample| format!("section = '{}';\n{{\n{}}}\n", sample.section, sample.code));
        (format!("{}{before}{}", first.code, each.collect::<String>()), "samples.mjs", "node samples.mjs")
    });
}

#[test]
fn python() {
    let before = "from urllib.error import HTTPError
from builtins import print as tell


def print(status, *_):
    tell(section, status)\n\n\n";
    check("python", |samples| {
        let (first, rest) = samples.split_first().expect("the overview has the first lines");
        let each = rest.iter().map(|sample| {
            let code = format!("    {}\n", sample.code.trim_end().replace('\n', "\n    "));
            format!(
                "section = '{}'\ntry:\n{code}except HTTPError as error:\n    tell(section, error.code)\n",
                sample.section
            )
        });
        (format!("{}{before}{}", first.code, each.collect::<String>()), "samples.py", "python3 samples.py")
    });
}

/// `program` makes one program of all samples, with its file's name and the command that runs it. It prints a line with id and
/// status for each.
#[track_caller]
fn check(language: &str, program: impl Fn(&[Sample]) -> (String, &'static str, &'static str)) {
    let (gateway, reader) = (Gateway::start(""), Reader::new());
    let created = gateway.create(&order());
    let index = served(&gateway, "index");
    let pages =
        index.lines().filter_map(|line| line.strip_prefix("| [")?.split_once("](")?.1.split_once(".md#"));
    let mut names: Vec<&str> = pages.map(|(page, _)| page).collect();
    names.dedup();
    assert!(names.len() > 8, "{names:?}");
    let mut all: Vec<Sample> = if language == "sh" { Vec::new() } else { samples(&index) };
    all.extend(names.iter().flat_map(|name| samples(&served(&gateway, name))));
    all.retain(|sample| sample.language == language);

    let (text, file, command) = program(&all);
    reader.save(file, &text);
    let known = [
        ("GATEWAY", gateway.ready.base_url.as_str()),
        ("TOKEN", &gateway.ready.business_token),
        ("PAYMENT_ID", &created.payment_info.payment_id),
        ("BUSINESS_ID", created.payment_info.business_id.as_ref().map_or("", |id| id)),
    ];
    let (_, ids) = index.split_once("const { GATEWAY, TOKEN, ").expect("the overview names all ids");
    let (ids, _) = ids.split_once(" } =").expect("the list ends");
    let variables: Vec<_> = ids.split(", ").map(|id| (id, NOBODY)).chain(known).collect();
    let printed = reader.run(command, &variables);
    let expected = all.len() - usize::from(language != "sh");
    assert_eq!(printed.lines().count(), expected, "one line each:\n{printed}");
    for line in printed.lines() {
        let (_, status) = line.rsplit_once(' ').unwrap_or_else(|| panic!("no status: {line}"));
        assert!(UNDERSTOOD.contains(&status) || REFUSED.contains(&line), "{line}\n{printed}");
    }
}

/// A page of the reference as Markdown.
fn served(gateway: &Gateway, page: &str) -> String {
    let url = format!("{}/docs/reference/{page}.md", gateway.ready.base_url);
    let mut answer = gateway.http.get(&url).call().expect("the gateway answers");
    let text = answer.body_mut().read_to_string().expect("Markdown is text");
    assert!(answer.status().is_success(), "{url}: {text}");
    text
}
