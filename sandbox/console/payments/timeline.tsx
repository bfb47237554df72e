import { Fragment } from "preact";
import { Icon } from "../../../www/desk/components/icon";
import { Panel } from "../../../www/desk/components/panel";
import { date, duration, isoTime, plural, shorten, time } from "../../../www/desk/format";
import type { Tone } from "../../../www/desk/labels";
import type { TimelineEvent } from "../model";

interface Kind {
  icon: string;
  tone: Tone;
  text: (event: TimelineEvent) => string;
}

const sender = (event: TimelineEvent): string => shorten(event.subject ?? "", 6);
const blocks = (event: TimelineEvent): string => plural(event.quantity ?? 0, "block");
const amount = (event: TimelineEvent): string => `${event.amount} ${event.currency}`;

const KINDS: Record<string, Kind> = {
  CREATED: { icon: "plus", tone: "calm", text: () => "Payment created" },
  CLOCK_MOVED: { icon: "forward", tone: "warn", text: ({ quantity }) => `Clock advanced by ${duration(quantity ?? 0)}` },
  WINDOW_ENDED: { icon: "state-expired", tone: "bad", text: () => "Window ended" },
  RATE_SET: { icon: "gauge", tone: "warn", text: ({ subject }) => `Rate set: ${subject}` },
  ADDRESS_GIVEN: { icon: "wallet", tone: "calm", text: (event) => `Address on ${event.network}: ${sender(event)}` },
  QUOTED: { icon: "gauge", tone: "calm", text: (event) => `Quoted ${amount(event)} on ${event.network}` },
  SEEN: { icon: "send", tone: "busy", text: (event) => `Detected ${amount(event)} (${sender(event)})` },
  DROPPED: { icon: "drop", tone: "bad", text: (event) => `Transfer dropped (${sender(event)})` },
  REORGANISED: { icon: "fork", tone: "warn", text: (event) => `${event.network} lost ${blocks(event)}` },
  MINED: { icon: "block", tone: "good", text: (event) => `${blocks(event)} on ${event.network}` },
  FLAGGED: { icon: "flag", tone: "warn", text: (event) => `Sender flagged: ${sender(event)}` },
  UNFLAGGED: { icon: "flag", tone: "calm", text: (event) => `Sender no longer flagged: ${sender(event)}` },
  RELEASED: { icon: "check", tone: "good", text: () => "Held deposit released" },
  REFUSED: { icon: "cross", tone: "bad", text: () => "Held deposit refused" },
  PAID: { icon: "state-deposited", tone: "good", text: () => "Paid" },
  CALLBACK: { icon: "inbox", tone: "calm", text: () => "Callback queued" },
  CALLBACK_TRIED: {
    icon: "resend",
    tone: "calm",
    text: ({ quantity, status, reason }) => `Callback, attempt ${quantity}: ${status ?? reason ?? "in progress"}`,
  },
  REFUNDED: { icon: "send", tone: "good", text: () => "Refund confirmed" },
};

/** What happened, the newest first, with a line before each new day. */
export function Timeline({ events }: { events: TimelineEvent[] }) {
  const newestFirst = [...events].reverse();
  return (
    <Panel title="Timeline">
      <ol class="time">
        {newestFirst.map((event, index) => {
          const day = date(event.at);
          const previous = newestFirst[index - 1];
          const isNewDay = !previous || date(previous.at) !== day;
          return (
            <Fragment key={newestFirst.length - index}>
              {isNewDay && <li class="day">{day}</li>}
              <Line event={event} />
            </Fragment>
          );
        })}
      </ol>
    </Panel>
  );
}

function Line({ event }: { event: TimelineEvent }) {
  const kind = KINDS[event.what] ?? { icon: "state-new", tone: "calm", text: () => event.what };
  const answered = event.what === "CALLBACK_TRIED" && event.status !== undefined;
  const tone = answered ? (Number(event.status) < 300 ? "good" : "bad") : kind.tone;
  return (
    <li data-part="event" data-value={event.what}>
      <span class={`mark ${tone}`}>
        <Icon name={kind.icon} />
      </span>
      <span>{kind.text(event)}</span>
      <time datetime={isoTime(event.at)}>{time(event.at)}</time>
    </li>
  );
}
