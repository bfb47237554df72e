// What this drawer has sent, as curl commands.
import * as desk from "../../www/desk/api";
import { CopyButton } from "../../www/desk/components/copy";
import { Fold, Note } from "../../www/desk/components/panel";

/** The environment variable that holds the token. */
export const TOKEN = "CHECKOUT_TOKEN";

const KEPT = 8;

interface Sent {
  method: "POST" | "PATCH";
  path: string;
  body: object;
}

/** The newest first. */
const sent: Sent[] = [];

function note(request: Sent): void {
  sent.unshift(request);
  sent.splice(KEPT);
}

export function post<T>(path: string, body: object): Promise<T> {
  note({ method: "POST", path, body });
  return desk.post(path, body);
}

export function patch<T>(path: string, body: object): Promise<T> {
  note({ method: "PATCH", path, body });
  return desk.patch(path, body);
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The desk's requests are those of the public API, there with a token. */
function curl({ method, path, body }: Sent): string {
  const own = path.replace(desk.gateway(""), "");
  const token = own === path ? "" : ` -H "Authorization: Bearer $${TOKEN}"`;
  return `curl -X ${method} ${quoted(location.origin + own)}${token} -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`;
}

export const Requests = () => (
  <section class="panel" data-part="requests">
    <Fold title="The same with curl">
      {sent.length === 0 ? (
        <Note>What is done here is listed as commands. Those of the public API read the token from ${TOKEN}.</Note>
      ) : (
        <ol class="cells">
          {sent.map((request, place) => (
            <li class="long" key={sent.length - place}>
              <code class="mono" data-part="curl">
                {curl(request)}
              </code>
              <CopyButton text={curl(request)} what="the command" />
            </li>
          ))}
        </ol>
      )}
    </Fold>
  </section>
);
