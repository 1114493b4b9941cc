import type { JSX } from "preact";
import { MissingScope } from "./components/blocks.tsx";
import { consoleTexts } from "./console-texts.ts";
import type { ConsoleLinks } from "./console-links.ts";
import { ManagementError } from "./management-error.ts";
import { ScreenNotFound, type ScreenPage } from "./screen.ts";

const texts = consoleTexts.errors;

/** Returns the page for an error, or undefined for an error that a screen does not expect. */
export function errorScreen(error: unknown, links: ConsoleLinks): ScreenPage | undefined {
  if (error instanceof ScreenNotFound) return messagePage(texts.notFoundTitle, texts.notFound, 404, links);
  if (!(error instanceof ManagementError)) return undefined;
  const { status, code, missingScopes, message, requestId } = error;
  if (status === 403 && code === "insufficient_scope")
    return { title: texts.forbiddenTitle, status, body: inCard(<MissingScope scopes={missingScopes} />) };
  if (status === 404) return messagePage(texts.notFoundTitle, texts.notFound, 404, links);
  const isOurs = status >= 500 || status === 429;
  return {
    title: isOurs ? texts.unavailableTitle : texts.failedTitle,
    status: isOurs ? 503 : status,
    body: inCard(
      <div class="empty">
        <p>{isOurs ? texts.unavailable : message}</p>
        <p>
          {texts.code}: <code>{code}</code>
          {requestId !== undefined && (
            <>
              {" · "}
              {texts.requestId}: <code>{requestId}</code>
            </>
          )}
        </p>
      </div>,
    ),
  };
}

/** Returns a page with one sentence and a link to the home page. */
export function messagePage(title: string, text: string, status: number, links: ConsoleLinks): ScreenPage {
  return {
    title,
    status,
    body: inCard(
      <div class="empty">
        <p>{text}</p>
        <a class="button" href={links.to([])}>
          {texts.back}
        </a>
      </div>,
    ),
  };
}

function inCard(content: JSX.Element): JSX.Element {
  return <section class="card">{content}</section>;
}

/** Renders the content of a page for a visitor without a session. */
export function PlainMessage({
  text,
  href,
  action,
}: {
  readonly text: string;
  readonly href: string;
  readonly action: string;
}): JSX.Element {
  return (
    <>
      <p>{text}</p>
      <p class="actions">
        <a class="button main" href={href}>
          {action}
        </a>
      </p>
    </>
  );
}
