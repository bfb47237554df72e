// Boxes, rows and notes that the views are made of.
import type { ComponentChildren } from "preact";
import type { Label } from "../labels";
import { CopyButton } from "./button";
import { Icon } from "./icon";

interface PanelProps {
  title: string;
  part?: string;
  children: ComponentChildren;
}

export const Panel = ({ title, part, children }: PanelProps) => (
  <section class="panel" aria-label={title} data-part={part}>
    <h3>{title}</h3>
    {children}
  </section>
);

/** Word, shape and colour of a state. */
export const Badge = ({ label, part, value }: { label: Label; part?: string; value?: string }) => (
  <span class={`state ${label.tone}`} data-part={part} data-value={value}>
    <Icon name={label.icon} />
    {label.word}
  </span>
);

interface FactProps {
  label: string;
  children: ComponentChildren;
  /** The exact text; with it comes a button that copies it. */
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

/** A text and a button that copies the whole of it. */
export const Copyable = ({ text, what, children }: { text: string; what: string; children: ComponentChildren }) => (
  <p class="long">
    {children}
    <CopyButton text={text} what={what} />
  </p>
);

/** Content behind a title; it stays open once it was opened. */
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

/** In the place of a list without rows. */
export const Empty = ({ icon, title, text, children }: EmptyProps) => (
  <div class="empty">
    <Icon name={icon} />
    <p class="empty-title">{title}</p>
    <p>{text}</p>
    {children}
  </div>
);

/** In the place of content that is being loaded. */
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
