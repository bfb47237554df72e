// Boxes, rows and notes of the views.
import type { ComponentChildren } from "preact";
import type { Label } from "../labels";
import { CopyButton } from "./copy";
import { Icon } from "./icon";

interface PanelProps {
  title: string;
  part?: string;
  value?: string;
  children: ComponentChildren;
}

export const Panel = ({ title, part, value, children }: PanelProps) => (
  <section class="panel" aria-label={title} data-part={part} data-value={value}>
    <h2>{title}</h2>
    {children}
  </section>
);

/** Word, shape and colour of a state. */
export const Badge = ({ label, part, value }: { label: Label; part?: string; value?: string }) => (
  <span class={`state ${label.tone}`} data-part={part} data-value={value}>
    <Icon name={label.icon} />
    <span class="state-word">{label.word}</span>
  </span>
);

interface FactProps {
  label: string;
  children: ComponentChildren;
  /** The exact text, shown with a copy button. */
  copy?: string;
  mono?: boolean;
  part?: string;
}

/** A row of a list of facts. */
export const Fact = ({ label, children, copy, mono, part }: FactProps) => (
  <div class="line">
    <dt>{label}</dt>
    <dd>
      <span class={mono ? "mono" : undefined} data-part={part} data-value={copy}>
        {children}
      </span>
      {copy && <CopyButton text={copy} what={label.toLowerCase()} />}
    </dd>
  </div>
);

/** A text with a button that copies all of it. */
export const Copyable = ({ text, what, children }: { text: string; what: string; children: ComponentChildren }) => (
  <p class="long">
    {children}
    <CopyButton text={text} what={what} />
  </p>
);

/** Collapsible content; it stays open once opened. */
export const Fold = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <details class="fold">
    <summary>
      <span>{title}</span>
      <Icon name="chevron-down" />
    </summary>
    {children}
  </details>
);

export const Note = ({ children }: { children: ComponentChildren }) => <p class="quiet-note">{children}</p>;

interface EmptyProps {
  icon: string;
  title: string;
  text: string;
  children?: ComponentChildren;
}

/** Shown instead of an empty list. */
export const Empty = ({ icon, title, text, children }: EmptyProps) => (
  <div class="empty">
    <Icon name={icon} />
    <p class="empty-title">{title}</p>
    <p>{text}</p>
    {children}
  </div>
);

/** Shown instead of content that is loading. */
export const Loading = ({ rows }: { rows: number }) => (
  <div class="bones" aria-hidden="true">
    {Array.from({ length: rows }, (_, row) => (
      <i key={row} />
    ))}
  </div>
);

export const BackLink = ({ href, children }: { href: string; children: ComponentChildren }) => (
  <a class="back-link" href={href}>
    <Icon name="arrow-left" />
    {children}
  </a>
);
