const done = arguments[arguments.length - 1];
const observer = new MutationObserver(() => setTimeout(end, 20));
const limit = setTimeout(end, 250);
function end() {
  observer.disconnect();
  clearTimeout(limit);
  done();
}
observer.observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
