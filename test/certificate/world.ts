import { decodeProtectedHeader, createLocalJWKSet, jwtVerify, type JSONWebKeySet, type JWTPayload } from "jose";
import { expect } from "vitest";
import { jsonBody, type JsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  authorizeParameters,
  codeGrant,
  openService,
  openStep,
  readResult,
  signInAtLoginPage,
  successParameters,
  tokens,
  type App,
  type AuthorizationParameters,
  type FlowResult,
  type LoginService,
  type ObtainedTokens,
} from "../support/flow.ts";

/** A tenant as it is set up for the certification: ID tokens without the profile, and two clients. */
export interface CertificateWorld extends LoginService {
  readonly first: App;
  readonly second: App;
}

/** A profile in which every standard claim has a value. */
const profile = {
  given_name: "Ada",
  family_name: "Lovelace",
  nickname: "ada",
  picture: "https://cdn.example.test/ada.png",
  middle_name: "King",
  profile: "https://people.example.test/ada",
  website: "https://ada.example.test/",
  gender: "female",
  birthdate: "1815-12-10",
  zoneinfo: "Europe/London",
  locale: "en-GB",
  address: { formatted: "12 St James's Square\nLondon", locality: "London", country: "United Kingdom" },
};

/** Opens a {@link CertificateWorld}. */
export async function openCertificateWorld(): Promise<CertificateWorld> {
  const service = await openService({ crypto: { signingAlgorithm: "RS256" } });
  const settings = {
    secret: true,
    grant_types: ["authorization_code", "refresh_token", "implicit"],
    allowed_logout_urls: ["https://app.example.test/bye"],
  };
  const [first, second] = [await service.register(settings), await service.register(settings)];
  jsonBody(await service.manage("PATCH", "/api/v2/tenants/settings", { minimal_id_tokens: true }));
  jsonBody(await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(service.ada.userId)}`, profile));
  service.clock.advance("6s");
  return { ...service, first, second };
}

/** A response type, and the mode in which the suite requests it. */
export interface Variant {
  readonly response_type: string;
  readonly response_mode?: "form_post";
}

const responseTypes = ["code", "id_token", "id_token token", "code id_token", "code token", "code id_token token"];

/** The response types of the plans Basic, Implicit and Hybrid, and of Form Post. */
export const variants: readonly Variant[] = responseTypes.flatMap((response_type): Variant[] => [
  { response_type },
  { response_type, response_mode: "form_post" },
]);

/** Whether the response at the redirect URI contains a word such as `id_token`. */
export const returns = ({ response_type }: Variant, word: string): boolean => response_type.split(" ").includes(word);

/** Sends an authorization request, and signs in if the login page is shown. */
export async function requestAndSignIn(
  world: CertificateWorld,
  parameters: AuthorizationParameters = {},
  browser: Browser = world.browser(),
  app: App = world.first,
): Promise<FlowResult> {
  const sent = authorizeParameters(app, { code_challenge: undefined, code_challenge_method: undefined, scope: "openid", ...parameters });
  const result = await readResult(await browser.get(`/authorize?${new URLSearchParams(sent)}`));
  if (result.kind !== "login") return result;
  const signedIn = await signInAtLoginPage(browser, result, world.ada);
  // The page that posts the response is the last page of the login.
  return signedIn.kind === "login" ? readResult(await openStep(browser, signedIn.state)) : signedIn;
}

/** The tokens that a client has after a flow. */
export interface CompletedFlow {
  readonly parameters: { readonly [name: string]: string };
  /** Undefined for a response type without a code. */
  readonly exchanged: ObtainedTokens | undefined;
  /** Every ID token of the flow, verified: first that of the redirect URI. */
  readonly idTokens: readonly JWTPayload[];
  /** The access token for `/userinfo`. Undefined for `id_token`. */
  readonly access: string | undefined;
}

/** Completes a flow, with the checks that the suite makes of each response. */
export async function complete(
  world: CertificateWorld,
  variant: Variant,
  parameters: AuthorizationParameters = {},
  browser: Browser = world.browser(),
): Promise<CompletedFlow> {
  const sent: AuthorizationParameters = { ...variant, ...parameters };
  const result = await requestAndSignIn(world, sent, browser);
  const response = successParameters(result);
  const nonce = "nonce" in sent ? sent["nonce"] : "n-1";
  const isFront = returns(variant, "token") || returns(variant, "id_token");
  expect(result).toMatchObject({ mode: variant.response_mode ?? (isFront ? "fragment" : "query"), to: world.first.redirectUri });
  expect(response).toMatchObject({ state: "st-1", iss: world.postern.issuer });
  const { code, id_token: front, access_token: frontAccess } = response;
  const exchanged =
    code === undefined ? undefined : tokens(await world.exchange(codeGrant(world.first, code, { code_verifier: undefined })));
  const texts = [front, exchanged?.id].filter((text) => text !== undefined);
  const idTokens = await Promise.all(texts.map((text) => verifyIdToken(world, text, nonce)));
  expect(new Set(idTokens.map(({ sub }) => sub)).size).toBeLessThanOrEqual(1);
  return { parameters: response, exchanged, idTokens, access: exchanged?.access ?? frontAccess };
}

/** Verifies an ID token with the published keys, and makes the checks that the suite makes of each. */
export async function verifyIdToken(
  world: CertificateWorld,
  text: string,
  nonce: string | undefined,
  app = world.first,
): Promise<JWTPayload> {
  const now = world.clock.now();
  const keys = jsonBody(await world.call("GET", "/.well-known/jwks.json"));
  const options = { issuer: world.postern.issuer, audience: app.clientId, currentDate: new Date(now) };
  const { payload } = await jwtVerify(text, createLocalJWKSet(keys as unknown as JSONWebKeySet), options);
  const { exp = 0, iat = 0, sub, auth_time: authTime } = payload;
  expect(exp * 1000).toBeGreaterThan(now);
  expect(exp * 1000).toBeLessThan(now + 50 * 365 * 86_400_000);
  expect(Math.abs(iat * 1000 - now)).toBeLessThan(300_000);
  expect(authTime).toBeLessThanOrEqual(now / 1000);
  expect(sub).toMatch(/^[\x21-\x7e]{1,255}$/);
  expect(payload["nonce"]).toBe(nonce);
  expect(decodeProtectedHeader(text)).toMatchObject({ alg: "RS256", kid: expect.any(String) });
  return payload;
}

/** Requests `/userinfo`, and checks that the subject is that of the ID token. */
export async function userinfoOf(world: CertificateWorld, { access = "", idTokens }: CompletedFlow): Promise<JsonBody> {
  const claims = jsonBody(await world.userinfo(access));
  expect(claims["sub"]).toBe(idTokens[0]?.sub);
  return claims;
}

/** Advances the clock, which tests of `max_age` and of expired codes need. */
export const wait = (world: CertificateWorld, seconds: number): void => {
  world.clock.advance(`${seconds}s`);
};
