import type { ComponentChildren, JSX } from "preact";
import { consoleTexts } from "../console-texts.ts";
import { exactTime, relativeTime } from "../relative-time.ts";
import { ConsoleIcon } from "./console-icon.tsx";

/** Renders a time relative to now, with the exact instant in the title. Renders a dash or `missing` without a time. */
export function Timestamp({ at, now, missing = consoleTexts.none }: TimestampProps): JSX.Element {
  const time = at === undefined || at === null ? Number.NaN : Date.parse(at);
  if (Number.isNaN(time)) return <span class="soft">{missing}</span>;
  return (
    <time dateTime={new Date(time).toISOString()} title={exactTime(time)}>
      {relativeTime(time, now)}
    </time>
  );
}

interface TimestampProps {
  /** ISO 8601. */
  readonly at: string | null | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly missing?: string;
}

/** Renders a button that copies a value. The script shows it: without JavaScript, it would do nothing. */
export function CopyButton({ value, from, what }: CopyProps): JSX.Element {
  return (
    <button type="button" class="copy" hidden data-copy={value ?? ""} data-copy-from={from} aria-label={consoleTexts.copy(what)}>
      <ConsoleIcon name="copy" />
    </button>
  );
}

interface CopyProps {
  readonly value?: string;
  /** The id of the element whose text is copied, instead of `value`. */
  readonly from?: string;
  /** The name of the copied value, for the accessible name. */
  readonly what: string;
}

/** Renders an id or another exact value, with a button to copy it. */
export function ExactValue({ value, what }: { readonly value: string; readonly what: string }): JSX.Element {
  return (
    <>
      <code>
        <bdi>{value}</bdi>
      </code>
      <CopyButton value={value} what={what} />
    </>
  );
}

/** How good a state is. The color repeats what the text says. */
export type StateLevel = "good" | "warn" | "bad" | "plain";

/** Renders the state of a record. */
export function StateBadge({ level, children }: { readonly level: StateLevel; readonly children: ComponentChildren }): JSX.Element {
  return <span class={`badge ${level}`}>{children}</span>;
}

/** Renders a value, or a dash if it is missing or empty. */
export function ValueOrDash({ children }: { readonly children: string | number | undefined | null }): JSX.Element {
  return children === undefined || children === null || children === "" ? (
    <span class="soft">{consoleTexts.none}</span>
  ) : (
    <bdi>{children}</bdi>
  );
}

/** Renders the initials of a name. Pictures from other sites would tell them which user an operator opens. */
export function Initials({ name }: { readonly name: string }): JSX.Element {
  return (
    <span class="initials" aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/[\s@._-]+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const [first = "", second = ""] = words.map((word) => String.fromCodePoint(word.codePointAt(0) ?? 63).toUpperCase());
  return first + second || "?";
}
