import { expect } from "vitest";
import { openDocumentService, type DocumentService } from "../client-documents/documents.ts";
import { createProver, exchangeWithProof, type Prover } from "../dpop/prover.ts";
import { createKeyClient, type KeyClient } from "../fapi/key-client.ts";
import { openPushed, push, pushedUri } from "../par/pushing.ts";
import { jsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import { codeGrant, login, successParameters, tokens, type AuthorizationParameters, type ObtainedTokens } from "../support/flow.ts";
import type { ApiResponse } from "../support/postern.ts";

/** A client with the profile, and its key for proofs. */
export interface FapiClient {
  readonly app: KeyClient;
  readonly prover: Prover;
}

/** A tenant as it is set up for the FAPI 2.0 plans with `private_key_jwt` and DPoP: two clients. */
export interface FapiWorld extends DocumentService {
  readonly first: FapiClient;
  readonly second: FapiClient;
}

const level = { compliance_level: "fapi2_sp_pkj_mtls", jwt_configuration: { alg: "PS256" } };

/** Opens a {@link FapiWorld}. */
export async function openFapiWorld(): Promise<FapiWorld> {
  const service = await openDocumentService();
  jsonBody(await service.manage("PATCH", "/api/v2/tenants/settings", { pushed_authorization_requests_supported: true }));
  const create = async (alg: string): Promise<FapiClient> => ({
    app: await createKeyClient(service, alg, level),
    prover: await createProver(service),
  });
  const [first, second] = [await create("PS256"), await create("ES256")];
  service.clock.advance("6s");
  return { ...service, first, second };
}

/** Pushes a request with an assertion. `claims` change the assertion. */
export async function pushAs(
  world: FapiWorld,
  { app }: FapiClient,
  parameters: AuthorizationParameters = {},
  { claims, headers }: { readonly claims?: object; readonly headers?: { readonly [name: string]: string } } = {},
): Promise<ApiResponse> {
  return push(world, app, { ...(await app.credentials({ ...claims })), ...parameters }, headers);
}

/** Returns a browser in which Ada has a session. */
export async function signedInBrowser(world: FapiWorld): Promise<Browser> {
  const browser = world.browser();
  await login(browser, world.web, world.ada);
  return browser;
}

/** Pushes a request and opens it. @returns the parameters at the redirect URI. */
export async function authorizeAs(world: FapiWorld, client: FapiClient, parameters: AuthorizationParameters = {}) {
  const sent = { ...(await client.app.credentials()), scope: "openid offline_access", ...parameters };
  const uri = await pushedUri(world, client.app, sent);
  const result = await openPushed(await signedInBrowser(world), client.app, uri);
  expect(result).toMatchObject({ mode: "query" });
  return successParameters(result);
}

/** Sends a token request with an assertion and a proof of the client, or of another client's key. */
export function exchangeAs(
  world: FapiWorld,
  { app, prover }: FapiClient,
  body: { readonly [name: string]: string },
  by: Prover = prover,
): Promise<ApiResponse> {
  return exchangeWithProof(world, by, async () => ({ ...body, ...(await app.credentials()) }));
}

/** Completes a flow. */
export async function obtainAs(world: FapiWorld, client: FapiClient, parameters: AuthorizationParameters = {}): Promise<ObtainedTokens> {
  const { code = "" } = await authorizeAs(world, client, parameters);
  return tokens(await exchangeAs(world, client, codeGrant(client.app, code)));
}
