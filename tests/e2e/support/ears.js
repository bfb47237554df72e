(() => {
  const record = (where, entry) => {
    const list = JSON.parse(sessionStorage.getItem("e2e-" + where) ?? "[]");
    sessionStorage.setItem("e2e-" + where, JSON.stringify([...list, entry]));
  };
  for (const type of ["ready", "status", "complete", "expired", "close", "error"]) {
    addEventListener("checkout:" + type, ({ type, detail }) => record("heard", { type, detail }), true);
  }
  addEventListener("message", ({ origin, data }) => record("messages", { origin, data }), true);
})();
