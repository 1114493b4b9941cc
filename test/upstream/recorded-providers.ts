import { generateKeyPairSync } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

/**
 * A named identity provider with recorded responses: URLs, discovery, token responses, ID tokens and profiles, in the
 * shapes that the provider documents. A request to any other URL fails the sign-in.
 */
export interface RecordedProvider {
  readonly options: object;
  /** The authorization endpoint, without the query. */
  readonly authorize: string;
  /** The query parameters that differ from the defaults. `undefined` means that the parameter is missing. */
  readonly query?: { readonly [name: string]: string | undefined };
  readonly issuer: string;
  readonly discovery?: string;
  readonly token: string;
  readonly keys?: string;
  readonly claims?: { readonly [name: string]: unknown };
  readonly withoutNonce?: true;
  readonly replies?: { readonly [url: string]: unknown };
  /** The callback parameters in addition to the code. */
  readonly callback?: { readonly [name: string]: string };
  /** The user that the sign-in creates. */
  readonly user: { readonly [field: string]: unknown };
  readonly missing?: readonly string[];
}

const { privateKey: appleKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const client = { client_id: "we", client_secret: "a secret of ours" };
const directory = "0b0e0d3c-7f1a-4c0e-9a53-0a1b2c3d4e5f";
const consumers = "9188040d-6c67-4c5b-b112-36a304b66dad";

/** The strategies of all named identity providers. */
export const namedStrategies = [
  "google-oauth2",
  "github",
  "apple",
  "facebook",
  "linkedin",
  "windowslive",
  "waad",
  "okta",
  "oauth2",
] as const;

/** Every named identity provider by its strategy. */
export const recorded: { readonly [Strategy in (typeof namedStrategies)[number]]: RecordedProvider } = {
  "google-oauth2": {
    options: client,
    authorize: "https://accounts.google.com/o/oauth2/v2/auth",
    query: { scope: "openid email profile", code_challenge_method: "S256" },
    issuer: "https://accounts.google.com",
    discovery: "https://accounts.google.com/.well-known/openid-configuration",
    token: "https://oauth2.googleapis.com/token",
    keys: "https://www.googleapis.com/oauth2/v3/certs",
    claims: {
      azp: "we",
      sub: "110169484474386276334",
      email: "Ann@gmail.com",
      email_verified: true,
      name: "Ann Lee",
      picture: "https://lh3.googleusercontent.com/a/x",
      given_name: "Ann",
      family_name: "Lee",
    },
    user: {
      user_id: "google-oauth2|110169484474386276334",
      email: "ann@gmail.com",
      email_verified: true,
      name: "Ann Lee",
      given_name: "Ann",
      family_name: "Lee",
    },
  },
  github: {
    options: client,
    authorize: "https://github.com/login/oauth/authorize",
    query: { scope: "read:user user:email", nonce: undefined },
    issuer: "https://github.com/login/oauth",
    token: "https://github.com/login/oauth/access_token",
    replies: {
      "https://api.github.com/user": {
        login: "ann",
        id: 583231,
        node_id: "MDQ6VXNlcjU4MzIzMQ==",
        avatar_url: "https://avatars.githubusercontent.com/u/583231?v=4",
        name: null,
        email: null,
        type: "User",
      },
      "https://api.github.com/user/emails": [
        { email: "old@example.test", primary: false, verified: true, visibility: null },
        { email: "ann@hub.example", primary: true, verified: true, visibility: "private" },
      ],
    },
    user: { user_id: "github|583231", email: "ann@hub.example", email_verified: true, name: "ann", nickname: "ann" },
  },
  apple: {
    options: {
      client_id: "we",
      app_secret: String(appleKey.export({ type: "pkcs8", format: "pem" })),
      team_id: "TEAM123456",
      kid: "KEY1234567",
    },
    authorize: "https://appleid.apple.com/auth/authorize",
    query: { scope: "openid name email", response_mode: "form_post" },
    issuer: "https://appleid.apple.com",
    discovery: "https://appleid.apple.com/.well-known/openid-configuration",
    token: "https://appleid.apple.com/auth/token",
    keys: "https://appleid.apple.com/auth/keys",
    claims: {
      sub: "001234.abcdef0123456789.1234",
      nonce_supported: true,
      email: "x9@privaterelay.appleid.com",
      email_verified: "true",
      is_private_email: "true",
      auth_time: 1_767_225_600,
    },
    callback: { user: JSON.stringify({ name: { firstName: "Ann", lastName: "Lee" }, email: "someone-else@example.test" }) },
    user: {
      user_id: "apple|001234.abcdef0123456789.1234",
      email: "x9@privaterelay.appleid.com",
      email_verified: true,
      name: "Ann Lee",
      given_name: "Ann",
      family_name: "Lee",
    },
  },
  facebook: {
    options: client,
    authorize: "https://www.facebook.com/v23.0/dialog/oauth",
    query: { scope: "public_profile email", nonce: undefined },
    issuer: "https://www.facebook.com",
    token: "https://graph.facebook.com/v23.0/oauth/access_token",
    replies: {
      "https://graph.facebook.com/v23.0/me": {
        id: "10224567890123456",
        name: "Ann Lee",
        first_name: "Ann",
        last_name: "Lee",
        email: "ann@book.example",
        picture: { data: { height: 50, is_silhouette: false, url: "https://platform-lookaside.fbsbx.com/x", width: 50 } },
      },
    },
    user: {
      user_id: "facebook|10224567890123456",
      email: "ann@book.example",
      email_verified: false,
      picture: "https://platform-lookaside.fbsbx.com/x",
    },
  },
  linkedin: {
    options: client,
    authorize: "https://www.linkedin.com/oauth/v2/authorization",
    // LinkedIn responds with invalid_client if a code verifier is sent with the secret.
    query: { scope: "openid profile email", nonce: undefined, code_challenge: undefined },
    missing: ["code_verifier"],
    issuer: "https://www.linkedin.com/oauth",
    discovery: "https://www.linkedin.com/oauth/.well-known/openid-configuration",
    token: "https://www.linkedin.com/oauth/v2/accessToken",
    keys: "https://www.linkedin.com/oauth/openid/jwks",
    withoutNonce: true,
    claims: {
      sub: "782bbtaQ",
      name: "Ann Lee",
      given_name: "Ann",
      family_name: "Lee",
      picture: "https://media.licdn.com/x",
      locale: "en-US",
      email: "ann@linked.example",
      email_verified: "true",
    },
    user: { user_id: "linkedin|782bbtaQ", email: "ann@linked.example", email_verified: true, name: "Ann Lee" },
  },
  windowslive: {
    options: client,
    authorize: `https://login.microsoftonline.com/consumers/oauth2/v2.0/authorize`,
    issuer: `https://login.microsoftonline.com/${consumers}/v2.0`,
    discovery: `https://login.microsoftonline.com/${consumers}/v2.0/.well-known/openid-configuration`,
    token: `https://login.microsoftonline.com/consumers/oauth2/v2.0/token`,
    keys: `https://login.microsoftonline.com/consumers/discovery/v2.0/keys`,
    claims: {
      ver: "2.0",
      sub: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
      name: "Ann Lee",
      preferred_username: "ann@live.example",
      oid: "00000000-0000-0000-66f3-3332eca7ea81",
      email: "ann@live.example",
      tid: consumers,
      email_verified: true,
    },
    user: { user_id: "windowslive|AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ", email: "ann@live.example", email_verified: false },
  },
  waad: {
    options: { ...client, tenantId: directory },
    authorize: `https://login.microsoftonline.com/${directory}/oauth2/v2.0/authorize`,
    issuer: `https://login.microsoftonline.com/${directory}/v2.0`,
    token: `https://login.microsoftonline.com/${directory}/oauth2/v2.0/token`,
    keys: `https://login.microsoftonline.com/${directory}/discovery/v2.0/keys`,
    claims: {
      ver: "2.0",
      sub: "pairwise-subject",
      name: "Ann Lee",
      preferred_username: "ann@corp.example",
      oid: "690222be-ff1a-4d56-abd1-7e4f7d38e474",
      email: "ann@corp.example",
      tid: directory,
    },
    user: {
      user_id: `waad|${directory}.690222be-ff1a-4d56-abd1-7e4f7d38e474`,
      email: "ann@corp.example",
      email_verified: false,
      name: "Ann Lee",
    },
  },
  okta: {
    options: { ...client, domain: "acme.okta.example" },
    authorize: "https://acme.okta.example/oauth2/v1/authorize",
    issuer: "https://acme.okta.example",
    discovery: "https://acme.okta.example/.well-known/openid-configuration",
    token: "https://acme.okta.example/oauth2/v1/token",
    keys: "https://acme.okta.example/oauth2/v1/keys",
    claims: {
      sub: "00uid4BxXw6I6TV4m0g3",
      name: "Ann Lee",
      email: "ann@acme.example",
      email_verified: true,
      ver: 1,
      amr: ["pwd"],
      idp: "00o1",
      preferred_username: "ann@acme.example",
      at_hash: undefined,
    },
    user: { user_id: "okta|00uid4BxXw6I6TV4m0g3", email: "ann@acme.example", email_verified: true, name: "Ann Lee" },
  },
  oauth2: {
    options: {
      ...client,
      authorizationURL: "https://old.example/authorize",
      tokenURL: "https://old.example/token",
      userinfo_endpoint: "https://old.example/me",
      scope: "read",
      fieldsMap: { user_id: "uid", name: "display" },
    },
    authorize: "https://old.example/authorize",
    query: { scope: "read", nonce: undefined, code_challenge: undefined },
    issuer: "https://old.example",
    token: "https://old.example/token",
    replies: { "https://old.example/me": { uid: 42, display: "Ann Lee", email: "ann@old.example", email_verified: true } },
    user: { user_id: "oauth2|42", email: "ann@old.example", email_verified: true, name: "Ann Lee" },
  },
};

/** A running identity provider with recorded responses. */
export interface RunningProvider {
  /** The nonce of the next ID token. */
  nonce: string;
  /** All requests, the oldest first. */
  readonly requests: { readonly url: URL; readonly headers: Headers; readonly body: URLSearchParams }[];
  fetch(request: Request): Promise<Response>;
}

/** Starts an identity provider with recorded responses. @param now the service's clock, in seconds since 1970. */
export async function openRecorded(provider: RecordedProvider, now: () => number): Promise<RunningProvider> {
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  const recording: RunningProvider = {
    nonce: "",
    requests: [],
    async fetch(request) {
      const url = new URL(request.url);
      recording.requests.push({ url, headers: request.headers, body: new URLSearchParams(await request.text()) });
      return respond(url.origin + url.pathname);
    },
  };
  const respond = async (url: string): Promise<Response> => {
    if (url === provider.discovery) {
      return Response.json({
        issuer: provider.issuer,
        authorization_endpoint: provider.authorize,
        token_endpoint: provider.token,
        jwks_uri: provider.keys,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
      });
    }
    if (url === provider.keys) return Response.json({ keys: [{ ...(await exportJWK(publicKey)), kid: "k1", use: "sig" }] });
    if (url === provider.token) {
      const { claims } = provider;
      const nonce = provider.withoutNonce ? {} : { nonce: recording.nonce };
      const all = { iss: provider.issuer, aud: "we", iat: now(), exp: now() + 3600, ...nonce, ...claims };
      const token = new SignJWT(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));
      const idToken = claims && (await token.setProtectedHeader({ alg: "RS256", kid: "k1" }).sign(privateKey));
      return Response.json({
        access_token: "opaque",
        token_type: "bearer",
        expires_in: 3599,
        scope: "x",
        ...(idToken && { id_token: idToken }),
      });
    }
    const reply = provider.replies?.[url];
    return reply === undefined ? new Response("not recorded", { status: 500 }) : Response.json(reply);
  };
  return recording;
}
