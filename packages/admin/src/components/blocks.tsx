import type { ComponentChildren, JSX } from "preact";
import { consoleTexts } from "../console-texts.ts";
import { ConsoleIcon, type ConsoleIconName } from "./console-icon.tsx";
import { CopyButton } from "./values.tsx";

/** Renders a titled part of a page. */
export function Card({ title, about, actions, isDanger = false, children }: CardProps): JSX.Element {
  return (
    <section class={isDanger ? "card danger" : "card"}>
      {title !== undefined && (
        <header>
          <h2>{title}</h2>
          {actions !== undefined && <div class="actions">{actions}</div>}
          {about !== undefined && <p>{about}</p>}
        </header>
      )}
      {children}
    </section>
  );
}

interface CardProps {
  readonly title?: string;
  readonly about?: string;
  readonly actions?: ComponentChildren;
  readonly isDanger?: boolean;
  readonly children: ComponentChildren;
}

/** Renders names with their values. */
export function FactList({ items }: { readonly items: readonly (readonly [name: string, value: ComponentChildren])[] }): JSX.Element {
  return (
    <dl class="facts">
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Renders a message about the whole page. */
export function NoticeBox({ level, children }: NoticeProps): JSX.Element {
  return (
    <div class={`notice ${level}`} role={level === "bad" ? "alert" : "status"}>
      <ConsoleIcon name={level === "good" ? "check" : "alert"} />
      <div>{children}</div>
    </div>
  );
}

interface NoticeProps {
  readonly level: "good" | "warn" | "bad";
  readonly children: ComponentChildren;
}

/** Renders what a list shows if it has no rows, with the next step. */
export function EmptyState({ icon, title, text, action }: EmptyProps): JSX.Element {
  return (
    <div class="empty">
      <ConsoleIcon name={icon} />
      {title !== undefined && <h2>{title}</h2>}
      <p>{text}</p>
      {action}
    </div>
  );
}

interface EmptyProps {
  readonly icon: ConsoleIconName;
  readonly title?: string;
  readonly text: string;
  readonly action?: ComponentChildren;
}

/** The maximum number of scopes that a page names. A role of administrators has more than a hundred. */
const namedScopes = 8;

/** Renders what the user's roles do not allow, with the missing scopes. */
export function MissingScope({ scopes }: { readonly scopes: readonly string[] }): JSX.Element {
  const texts = consoleTexts.errors;
  return (
    <div class="empty">
      <ConsoleIcon name="alert" />
      <h2>{texts.forbiddenTitle}</h2>
      {scopes.length === 0 ? (
        <p>{texts.forbidden}</p>
      ) : (
        <p>
          {texts.missingScope(scopes)}{" "}
          {scopes.slice(0, namedScopes).map((scope, index) => (
            <>
              {index > 0 && ", "}
              <code key={scope}>{scope}</code>
            </>
          ))}
          {scopes.length > namedScopes && ` ${texts.furtherScopes(scopes.length - namedScopes)}`}
        </p>
      )}
      <p>{texts.askAdministrator}</p>
    </div>
  );
}

/** Renders JSON, with a button to copy it. */
export function JsonBlock({ id, title, value, about }: JsonProps): JSX.Element {
  return (
    <Card title={title} {...(about !== undefined && { about })} actions={<CopyButton from={id} what={title} />}>
      <pre class="code" id={id} tabIndex={0} aria-label={title}>
        {typeof value === "string" ? value : JSON.stringify(value, null, 2)}
      </pre>
    </Card>
  );
}

interface JsonProps {
  readonly id: string;
  readonly title: string;
  readonly about?: string;
  /** Text is shown unchanged. */
  readonly value: unknown;
}

/** Renders a secret or a link that is shown once, with a button to copy it. */
export function ShownOnce({ value, what }: { readonly value: string; readonly what: string }): JSX.Element {
  return (
    <p class="secret">
      <code id="shown-once">{value}</code>
      <CopyButton value={value} what={what} />
    </p>
  );
}
