import { renderToString } from "preact-render-to-string";
import { scriptValue } from "../components/script.ts";

/** The data for {@link renderWebMessage}: an authorization response for a page of the client. */
interface WebMessagePage {
  readonly response: object;
  /** The only origin that may read the response. */
  readonly targetOrigin: string;
  readonly nonce: string;
}

/**
 * Renders the page for `response_mode=web_message`. Its script posts the response to the window that opened or framed
 * the page, if that window has the target origin.
 */
export function renderWebMessage({ response, targetOrigin, nonce }: WebMessagePage): string {
  const message = scriptValue({ type: "authorization_response", response });
  const script = `(window.opener || window.parent).postMessage(${message}, ${scriptValue(targetOrigin)});`;
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Authorization response</title>
        <meta name="robots" content="noindex, nofollow" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: script }} />
      </body>
    </html>
  );
  return `<!DOCTYPE html>${renderToString(page)}`;
}
