import { dismiss } from "../message";
import { run } from "../run";
import { state } from "../store";
import { copyText } from "./button";
import { Icon } from "../../../www/desk/components/icon";

/** The last message. */
export function Toast() {
  const { message } = state;
  return (
    <section class="toasts" aria-label="Messages">
      {message && (
        <div
          class={message.failed ? "toast bad" : "toast"}
          key={message.id}
          data-part="message"
          data-value={message.failed ? "bad" : "good"}
        >
          <Icon name={message.failed ? "warning" : "check"} />
          <span>{message.text}</span>
          {message.curl && <CopyCurl command={message.curl} />}
          <button type="button" class="toast-act" aria-label="Dismiss" onClick={dismiss}>
            <Icon name="cross" />
          </button>
        </div>
      )}
    </section>
  );
}

const CopyCurl = ({ command }: { command: string }) => (
  <button type="button" class="toast-act" data-part="curl" onClick={() => run("copy", () => copyText(command))}>
    Copy as curl
  </button>
);
