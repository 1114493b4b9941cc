import { SignJWT } from "jose";
import type { DocumentService } from "../client-documents/documents.ts";
import type { KeyClient } from "../fapi/key-client.ts";
import { authorizeParameters, readResult, type AuthorizationParameters, type FlowResult } from "../support/flow.ts";
import type { Browser } from "../support/browser.ts";

/** How a test changes a request object. */
export interface ObjectOptions {
  /** Replaces claims. Undefined removes a claim. */
  readonly claims?: { readonly [name: string]: unknown };
  readonly header?: { readonly alg?: string; readonly typ?: string | undefined; readonly kid?: string; readonly crit?: string[] };
  readonly key?: CryptoKey;
}

/** Signs the request object of a client: a request for a code, with the times that FAPI requires. */
export async function requestObject(
  service: DocumentService,
  app: KeyClient,
  { claims = {}, header = {}, key = app.key }: ObjectOptions = {},
): Promise<string> {
  const now = Math.floor(service.clock.now() / 1000);
  const all = {
    ...authorizeParameters(app, { state: "inner", nonce: "inner-nonce" }),
    iss: app.clientId,
    aud: service.postern.issuer,
    nbf: now,
    exp: now + 300,
    ...claims,
  };
  const payload = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const { typ, ...others } = { typ: "oauth-authz-req+jwt", ...header };
  return new SignJWT(payload).setProtectedHeader({ alg: app.alg, kid: app.kid, ...others, ...(typ !== undefined && { typ }) }).sign(key);
}

/** Opens `/authorize` with an object, the client id and the given parameters, without any others. */
export async function openObject(
  browser: Browser,
  app: KeyClient,
  request: string,
  outer: AuthorizationParameters = {},
): Promise<FlowResult> {
  const sent = Object.entries({ client_id: app.clientId, request, ...outer }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return readResult(await browser.get(`/authorize?${new URLSearchParams(sent)}`));
}
