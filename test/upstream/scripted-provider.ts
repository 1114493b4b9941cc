import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from "jose";
import { expect } from "vitest";
import type { Browser } from "../support/browser.ts";
import { loginState, type AuthorizationParameters, type FlowResult } from "../support/flow.ts";
import type { TestOptions } from "../support/postern.ts";
import { returnFromProvider, goToProvider, openFederation, upstreamIssuer, type Federation } from "./federation.ts";

/** The user claims of an ID token; undefined omits a claim. */
export type Claims = { readonly [name: string]: unknown };

/** An identity provider whose responses a test defines. */
export interface ScriptedProvider extends Federation {
  readonly keys: { current: Key };
  /** Replaces responses by the path of the request. */
  readonly responses: Map<string, (request: Request) => Response | Promise<Response>>;
  /** The response for a path that `responses` does not replace. */
  defaultResponse(path: string): Response | Promise<Response>;
  /** Signs in at the identity provider with these claims. */
  signInAs(
    claims: Claims,
    options?: {
      readonly parameters?: AuthorizationParameters;
      readonly key?: Key;
      readonly header?: object;
      readonly callback?: AuthorizationParameters;
      /** Default: a new browser. */
      readonly browser?: Browser;
      /** The connection to sign in with. Default: `fieldnotes`. */
      readonly connection?: string;
      /** Runs while the browser is at the identity provider. */
      readonly whileAway?: () => Promise<unknown>;
    },
  ): Promise<FlowResult>;
}

interface Key {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

/** Creates a signing key of an identity provider. */
export async function makeKey(kid: string, alg = "ES256"): Promise<Key> {
  return { kid, alg, ...(await generateKeyPair(alg, { extractable: true })) };
}

/** Opens a {@link ScriptedProvider} with a connection to it. */
export async function openScriptedProvider(options: Claims = {}, more: TestOptions = {}): Promise<ScriptedProvider> {
  const federation = await openFederation(more);
  const keys = { current: await makeKey("one") };
  const responses: ScriptedProvider["responses"] = new Map();
  let idToken = "";
  const json = (body: unknown, status = 200): Response => Response.json(body, { status });
  const defaults: { readonly [path: string]: () => Response | Promise<Response> } = {
    "/.well-known/openid-configuration": () =>
      json({
        issuer: upstreamIssuer,
        authorization_endpoint: `${upstreamIssuer}authorize`,
        token_endpoint: `${upstreamIssuer}token`,
        jwks_uri: `${upstreamIssuer}keys`,
        id_token_signing_alg_values_supported: ["ES256"],
        authorization_response_iss_parameter_supported: true,
      }),
    "/token": () => json({ access_token: "at", token_type: "Bearer", expires_in: 60, id_token: idToken }),
    "/keys": async () => {
      const { kid, alg, publicKey } = keys.current;
      return json({ keys: [{ ...(await exportJWK(publicKey)), kid, alg, use: "sig" }] });
    },
  };
  federation.respond = async (request) => {
    const { pathname } = new URL(request.url);
    const response = responses.get(pathname) ?? defaults[pathname];
    return response === undefined ? json({ error: "not_found" }, 404) : response(request);
  };
  const connection = { issuer: upstreamIssuer, client_id: "we", client_secret: "a secret of ours", ...options };
  await federation.connect({ options: connection });
  const { service } = federation;

  const signInAs: ScriptedProvider["signInAs"] = async (
    claims,
    { parameters: requested, key = keys.current, header, callback, browser = service.browser(), connection: by, whileAway } = {},
  ) => {
    const address = new URL(await goToProvider(federation, browser, service.web, requested, by));
    const { state = "", nonce = "" } = Object.fromEntries(address.searchParams);
    await whileAway?.();
    const now = Math.floor(service.clock.now() / 1000);
    const all: JWTPayload = { iss: upstreamIssuer, aud: "we", iat: now, exp: now + 60, nonce, ...claims };
    const token = new SignJWT(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));
    idToken = await token.setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.privateKey);
    const parameters = { code: "c", state, iss: upstreamIssuer, ...callback };
    const sent = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return returnFromProvider(browser, `/login/callback?${new URLSearchParams(sent)}`);
  };
  const defaultResponse = (path: string): Response | Promise<Response> => defaults[path]?.() ?? json({ error: "not_found" }, 404);
  return Object.assign(federation, { keys, responses, defaultResponse, signInAs });
}

/**
 * Expects that no user was signed in, and that the login page shows it. @returns the newest log event of the
 * connection.
 */
export async function expectFailure(
  { service }: Federation,
  result: FlowResult,
  problem = "provider-failed",
): Promise<{ readonly type: string; readonly description: string }> {
  loginState(result);
  if (result.kind !== "login") throw new Error("the result must be the login page");
  expect(result.step).toBe("identifier");
  const { body } = await service.manage("GET", "/api/v2/logs?per_page=20");
  const entry = (body as readonly { type: string; description: string; connection?: string }[]).find(
    ({ connection }) => connection === "fieldnotes",
  );
  if (entry === undefined) throw new Error("the log has no event of the connection");
  expect(entry.type).toBe(problem === "provider-declined" ? "f" : "fc");
  return entry;
}
