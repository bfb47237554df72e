import { recorded } from "../api";
import { CopyButton } from "../../../www/desk/components/copy";
import { Empty, Note, Panel } from "../../../www/desk/components/panel";
import { TOKEN, apiRoute, curl } from "../curl";
import { isoTime, time } from "../../../www/desk/format";

/** The last changes of this page, as curl commands. */
export const Requests = () => (
  <Panel title="Requests of this page">
    <Note>Each change as a curl command. Those of the merchant's API read the token from ${TOKEN}.</Note>
    {recorded.length === 0 ? (
      <Empty icon="terminal" title="No requests yet" text="Every click that changes something is listed here." />
    ) : (
      <ol class="lines">
        {recorded.map((request, index) => {
          const { method, path } = apiRoute(request);
          return (
            <li class="request" key={`${recorded.length - index} ${request.at}`} data-part="request">
              <time datetime={isoTime(request.at)}>{time(request.at)}</time>
              <span class="mono">
                <b>{method}</b> {path}
              </span>
              <CopyButton text={curl(request, location.origin)} what={`${method} ${path} as curl`} />
            </li>
          );
        })}
      </ol>
    )}
  </Panel>
);
