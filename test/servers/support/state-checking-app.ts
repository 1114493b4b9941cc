import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { decodeJwt } from "jose";
import { challenge, verifier } from "../../support/flow.ts";
import { pictureAt } from "../../pages/pictures.ts";
import type { SecurePostern } from "./secure.ts";

/** The secret of every client of this app. */
export const appSecret = "a-secret-that-is-long-enough-for-tests";

/**
 * A web app that accepts each `state` once, as client libraries do, and shows the result on its pages:
 * - `/` is the front page. `/login?client_id=…&…` starts a sign-in and adds the query to the request.
 * - `/callback` redirects to `/home`, which shows the user who signed in or the error that the app received.
 *   An unknown `state` redirects to an error page.
 * - `/logo/…` are pictures.
 */
export function stateCheckingApp(postern: () => SecurePostern, origin: () => string): RequestListener {
  const pendingStates = new Map<string, string>();

  const begin = (query: URLSearchParams): string => {
    const [state, clientId] = [randomUUID(), query.get("client_id") ?? "web"];
    pendingStates.set(state, clientId);
    const request = {
      client_id: clientId,
      redirect_uri: `${origin()}/callback`,
      response_type: "code",
      scope: "openid email",
      state,
      code_challenge: challenge,
      code_challenge_method: "S256",
      ...Object.fromEntries(query),
    };
    return `${postern().issuer}authorize?${new URLSearchParams(request)}`;
  };

  const exchangeCode = async (clientId: string, code: string): Promise<string> => {
    const grant = { grant_type: "authorization_code", code, redirect_uri: `${origin()}/callback`, code_verifier: verifier };
    const body = new URLSearchParams({ ...grant, client_id: clientId, client_secret: appSecret });
    const answer: unknown = await (await postern().fetch(`${postern().issuer}oauth/token`, { method: "POST", body })).json();
    if (typeof answer !== "object" || answer === null || !("id_token" in answer)) return `no user: ${JSON.stringify(answer)}`;
    return String(decodeJwt(String(answer.id_token))["email"]);
  };

  const finish = async (answer: URLSearchParams): Promise<string> => {
    const state = answer.get("state") ?? "";
    const clientId = pendingStates.get(state);
    pendingStates.delete(state);
    if (clientId === undefined) return "/unknown-state";
    const error = answer.get("error");
    const outcome = error === null ? { who: await exchangeCode(clientId, answer.get("code") ?? "") } : { error };
    return `/home?${new URLSearchParams(outcome)}`;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? "/", origin());
    const redirect = (to: string): unknown => response.writeHead(303, { location: to }).end();
    const show = (heading: string): unknown => response.setHeader("content-type", "text/html").end(pageOf(heading));
    if (pathname === "/login") redirect(begin(searchParams));
    else if (pathname === "/callback") redirect(await finish(searchParams));
    else if (pathname === "/home")
      show(searchParams.has("who") ? `Signed in: ${searchParams.get("who")}` : `Told: ${searchParams.get("error")}`);
    else if (pathname === "/unknown-state") show("Unknown state");
    else if (pathname.startsWith("/logo/"))
      response.setHeader("content-type", "image/svg+xml").end(pictureAt(pathname.slice("/logo".length)));
    else show("Front page");
  };

  return (request, response) => void answer(request, response);
}

function pageOf(heading: string): string {
  return `<!doctype html><html lang="en"><title>${heading}</title><main><h1>${heading}</h1><a href="/login">Sign in</a></main></html>`;
}
