import type { IncomingMessage, ServerResponse } from "node:http";
import type { AnsweringProvider, RecordedProvider } from "../../upstream/recorded-providers.ts";
import { listenSecurely } from "./secure.ts";

/** A recorded provider that answers. */
export interface Asking {
  readonly provider: RecordedProvider;
  readonly answering: AnsweringProvider;
}

/** The pages on which recorded providers ask people, at the providers' own addresses: a form of ours, whose button sends the browser back the way that the request wants. */
export interface AskingPages {
  /** What the browser is told: each host that is not of these tests is this server. */
  readonly resolves: string;
  close(): Promise<void>;
}

/** Serves them. @param find the provider that asks people at an address without its query. */
export async function serveAskingPages(find: (address: string) => Asking | undefined): Promise<AskingPages> {
  const server = await listenSecurely("localhost", (request, response) => answer(find, request, response));
  return { resolves: `MAP * 127.0.0.1:${new URL(server.origin).port}`, close: () => server.close() };
}

function answer(find: (address: string) => Asking | undefined, request: IncomingMessage, response: ServerResponse): void {
  const { origin, pathname, searchParams } = new URL(request.url ?? "/", `https://${request.headers.host}`);
  const asking = find(origin + pathname);
  if (asking === undefined) {
    response.writeHead(404).end();
    return;
  }
  asking.answering.nonce = searchParams.get("nonce") ?? "";
  const method = searchParams.get("response_mode") === "form_post" ? "post" : "get";
  const sent = { code: "c-1", state: searchParams.get("state") ?? "", ...asking.provider.callback };
  const escape = (value: string): string => value.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const fields = Object.entries(sent).map(([name, value]) => `<input type="hidden" name="${name}" value="${escape(String(value))}">`);
  const action = escape(searchParams.get("redirect_uri") ?? "");
  response.setHeader("content-type", "text/html");
  response.end(
    `<!doctype html><title>There</title><form method="${method}" action="${action}">${fields.join("")}<button id="allow">Allow</button></form>`,
  );
}
