import type { IncomingMessage, ServerResponse } from "node:http";
import type { RunningProvider, RecordedProvider } from "../../upstream/recorded-providers.ts";
import { listenSecurely } from "./secure.ts";

/** A recorded provider and the server that sends its recorded responses. */
export interface RecordedSignIn {
  readonly provider: RecordedProvider;
  readonly answering: RunningProvider;
}

/**
 * Stands in for the consent pages of recorded providers, at the providers' own URLs. The page is a form whose button
 * sends the browser back to Postern in the requested response mode.
 */
export interface ProviderPages {
  /** A rule for Chromium's host resolver: every host that the tests do not use resolves to this server. */
  readonly resolves: string;
  close(): Promise<void>;
}

/** Serves the pages. @param find returns the provider whose authorization endpoint has this URL without its query. */
export async function serveProviderPages(find: (address: string) => RecordedSignIn | undefined): Promise<ProviderPages> {
  const server = await listenSecurely("localhost", (request, response) => answer(find, request, response));
  return { resolves: `MAP * 127.0.0.1:${new URL(server.origin).port}`, close: () => server.close() };
}

function answer(find: (address: string) => RecordedSignIn | undefined, request: IncomingMessage, response: ServerResponse): void {
  const { origin, pathname, searchParams } = new URL(request.url ?? "/", `https://${request.headers.host}`);
  const signIn = find(origin + pathname);
  if (signIn === undefined) {
    response.writeHead(404).end();
    return;
  }
  signIn.answering.nonce = searchParams.get("nonce") ?? "";
  const method = searchParams.get("response_mode") === "form_post" ? "post" : "get";
  const sent = { code: "c-1", state: searchParams.get("state") ?? "", ...signIn.provider.callback };
  const escape = (value: string): string => value.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const fields = Object.entries(sent).map(([name, value]) => `<input type="hidden" name="${name}" value="${escape(String(value))}">`);
  const action = escape(searchParams.get("redirect_uri") ?? "");
  response.setHeader("content-type", "text/html");
  response.end(
    `<!doctype html><title>There</title><form method="${method}" action="${action}">${fields.join("")}<button id="allow">Allow</button></form>`,
  );
}
