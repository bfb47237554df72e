// What a click did, as a line for a shell: by the API that a merchant's back end uses, where there is one.

/** Ways of this page, and those of the API that do the same in the name of a token. */
const API = [
  [/^POST \/sandbox\/payments$/, "POST", () => "/api/v1/payments"],
  [/^POST \/sandbox\/payments\/([^/]+)\/choice$/, "PATCH", (id) => `/api/v1/payments/${id}`],
  [/^POST \/sandbox\/whitelist$/, "POST", () => "/whitelist-addresses"],
  [/^POST \/sandbox\/withdrawals$/, "POST", () => "/api/v1/withdrawals"],
];

/** Name of the variable that holds the token. */
export const TOKEN = "CHECKOUT_TOKEN";

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** Method and path as a back end would ask, and whether it needs the token. */
export function asked({ method, path }) {
  for (const [pattern, verb, way] of API) {
    const found = pattern.exec(`${method} ${path}`);
    if (found) return { method: verb, path: way(found[1]), token: true };
  }
  return { method, path, token: false };
}

export function curl(request, origin) {
  const { method, path, token } = asked(request);
  const parts = ["curl -X", method, quoted(origin + path)];
  if (token) parts.push(`-H "Authorization: Bearer $${TOKEN}"`);
  if (request.body !== undefined) parts.push("-H 'Content-Type: application/json' -d", quoted(JSON.stringify(request.body)));
  return parts.join(" ");
}
