// What a page does beside being read: the menu on narrow screens, one language of samples, copying, colours of code.
// mdBook's search reads the two globals.
"use strict";

const root = document.documentElement;
window.path_to_root = root.dataset.root;
window.path_to_searchindex_js = root.dataset.search;
/** Whether a key belongs to a field of the page. */
window.mdbook_something_else_has_focus = (event) => /^(?:input|select|textarea|button|a)$/i.test(event.target.nodeName) && event.key !== "/" && event.key !== "s";
root.classList.add("js");

const NAMES = { sh: "curl", ts: "TypeScript", python: "Python" };
const CHOICE = "docs-language";

function stored() {
  try {
    return localStorage.getItem(CHOICE);
  } catch {
    return null;
  }
}

function store(language) {
  try {
    localStorage.setItem(CHOICE, language);
  } catch {
    // The choice is for this page only.
  }
}

const languageOf = (pre) => /language-(\w+)/.exec(pre.querySelector("code").className)?.[1] ?? "";

/** Shows the samples of one language in every group, and its button as pressed. */
function choose(language) {
  for (const group of document.querySelectorAll(".languages")) {
    const pres = [...group.querySelectorAll("pre")];
    const shown = pres.some((pre) => languageOf(pre) === language) ? language : languageOf(pres[0]);
    for (const pre of pres) pre.hidden = languageOf(pre) !== shown;
    for (const button of group.querySelectorAll(".choice button")) {
      button.setAttribute("aria-pressed", String(button.dataset.language === shown));
    }
  }
}

function addChoices() {
  for (const group of document.querySelectorAll(".languages")) {
    const choice = document.createElement("div");
    choice.className = "choice";
    for (const pre of group.querySelectorAll("pre")) {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.language = languageOf(pre);
      button.textContent = NAMES[button.dataset.language] ?? button.dataset.language;
      button.addEventListener("click", () => {
        store(button.dataset.language);
        choose(button.dataset.language);
      });
      choice.append(button);
    }
    group.prepend(choice);
  }
  choose(stored() ?? "sh");
}

function addCopies() {
  for (const pre of document.querySelectorAll("pre")) {
    pre.tabIndex = 0;
    if (!navigator.clipboard) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(pre.querySelector("code").textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    const box = document.createElement("div");
    box.className = "sample";
    pre.before(box);
    box.append(pre, button);
  }
}

document.addEventListener("DOMContentLoaded", () => {
  const menu = document.getElementById("menu");
  menu.addEventListener("click", () => {
    menu.setAttribute("aria-expanded", String(root.classList.toggle("menu-open")));
  });
  for (const table of document.querySelectorAll("table")) {
    const titles = [...table.querySelectorAll("th")].map((title) => title.textContent);
    for (const cell of table.querySelectorAll("td")) cell.dataset.title = titles[cell.cellIndex] ?? "";
    const box = document.createElement("div");
    box.className = "table";
    box.tabIndex = 0;
    table.before(box);
    box.append(table);
  }
  addCopies();
  addChoices();
  for (const code of document.querySelectorAll("pre code[class*=language-]")) window.hljs?.highlightBlock(code);
  document.querySelector("#contents [aria-current]")?.scrollIntoView({ block: "nearest" });
});
