// Requests as curl commands, through the merchant's API where it has an equivalent.
import type { RecordedRequest } from "./api";

/** The environment variable that holds the token. */
export const TOKEN = "CHECKOUT_TOKEN";

/** The console's own routes, and those of the API that do the same with a token. */
const API_ROUTES: [pattern: RegExp, method: string, path: (id: string) => string][] = [
  [/^POST \/sandbox\/payments$/, "POST", () => "/api/v1/payments"],
  [/^POST \/sandbox\/payments\/([^/]+)\/choice$/, "PATCH", (id) => `/api/v1/payments/${id}`],
  [/^POST \/sandbox\/whitelist$/, "POST", () => "/whitelist-addresses"],
  [/^POST \/sandbox\/withdrawals$/, "POST", () => "/api/v1/withdrawals"],
];

/** Method and path as a back end would use them, and whether they need the token. */
export function apiRoute({ method, path }: RecordedRequest): { method: string; path: string; needsToken: boolean } {
  for (const [pattern, apiMethod, apiPath] of API_ROUTES) {
    const match = pattern.exec(`${method} ${path}`);
    if (match) return { method: apiMethod, path: apiPath(match[1] ?? ""), needsToken: true };
  }
  return { method, path, needsToken: false };
}

const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export function curl(request: RecordedRequest, origin: string): string {
  const { method, path, needsToken } = apiRoute(request);
  const parts = ["curl -X", method, shellQuoted(origin + path)];
  if (needsToken) parts.push(`-H "Authorization: Bearer $${TOKEN}"`);
  if (request.body) parts.push("-H 'Content-Type: application/json' -d", shellQuoted(JSON.stringify(request.body)));
  return parts.join(" ");
}
