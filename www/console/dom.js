// A tree of nodes from plain calls, and one tree changed into another in place: what did not change keeps its focus,
// its selection and what was typed into it.
import icons from "icons";

/** An element. `key` tells it from its siblings; an attribute of null, undefined or false is left out. */
export function h(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (attribute === "key") element.key = value;
    else element.setAttribute(attribute, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    element.append(child);
  }
  return element;
}

const drawings = new Map();

/** A drawing of the set, for the eye only. */
export function icon(name, kind = "sign") {
  if (!drawings.has(name)) {
    drawings.set(name, new DOMParser().parseFromString(icons[name], "image/svg+xml").documentElement);
  }
  const span = h("span", { class: kind });
  span.append(document.importNode(drawings.get(name), true));
  return span;
}

const alike = (a, b) => a.nodeName === b.nodeName && a.key === b.key;

/** Makes `old` what `fresh` is; `fresh` is used up. */
export function morph(old, fresh) {
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  if (old instanceof SVGElement) {
    if (!old.isEqualNode(fresh)) old.replaceWith(fresh);
    return;
  }
  for (const { name } of [...old.attributes]) {
    // What the reader opened stays open, and how long a bar is does not stand in the tree.
    if (!fresh.hasAttribute(name) && name !== "open" && name !== "style") old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value && name !== "open") old.setAttribute(name, value);
  }
  children(old, fresh);
}

function children(old, fresh) {
  const wanted = new Set([...fresh.childNodes].map((node) => node.key).filter(Boolean));
  const known = new Map([...old.childNodes].filter((node) => node.key).map((node) => [node.key, node]));
  let at = old.firstChild;
  for (const next of [...fresh.childNodes]) {
    while (at?.key && !wanted.has(at.key)) {
      const gone = at;
      at = at.nextSibling;
      gone.remove();
    }
    const found = next.key ? known.get(next.key) : at && !at.key && alike(at, next) ? at : undefined;
    if (!found || !alike(found, next)) {
      old.insertBefore(next, at);
    } else {
      if (found === at) at = at.nextSibling;
      else old.insertBefore(found, at);
      morph(found, next);
    }
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}
