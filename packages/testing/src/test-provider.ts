import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { listen } from "./listen.ts";

/** A user of a test provider: the claims of the provider's ID token. */
export interface ProviderUser {
  /** The user's id at the provider. Default: derived from the email address. */
  readonly sub?: string;
  readonly email?: string;
  /** Default: true if `email` is set. */
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly [claim: string]: unknown;
}

/** An OpenID Connect provider over HTTP on this machine. Its login page requires no password. */
export interface ProviderServer {
  readonly origin: string;
  /** Returns the number of token requests that the provider has received so far. */
  shown(): number;
  close(): Promise<void>;
}

/** The client that Postern uses at the provider. */
export const client = { id: "postern", secret: "only-for-tests-0123456789" } as const;

const keyId = "test-provider";

/** An issued authorization code. */
interface IssuedCode {
  readonly user: ProviderUser;
  readonly nonce: string | undefined;
}

/**
 * Starts a {@link ProviderServer}. Each path at its origin is a separate provider, whose issuer is the URL with this
 * path.
 * @param now milliseconds since 1970.
 */
export async function startProviderServer(now: () => number): Promise<ProviderServer> {
  const server = await listen(0);
  const origin = `http://127.0.0.1:${server.port}`;
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  const key = { ...(await exportJWK(publicKey)), kid: keyId, alg: "ES256", use: "sig" };
  const codes = new Map<string, IssuedCode>();
  let shown = 0;

  const idToken = ({ user, nonce }: IssuedCode, issuer: string): Promise<string> => {
    const { email } = user;
    const sub = createHash("sha256")
      .update(email ?? randomUUID())
      .digest("hex")
      .slice(0, 20);
    const issued = Math.floor(now() / 1000);
    const times = { iss: issuer, aud: client.id, iat: issued, exp: issued + 600 };
    const claims = {
      sub,
      ...(email !== undefined && { email_verified: true }),
      ...user,
      ...times,
      ...(nonce !== undefined && { nonce }),
    };
    return new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: keyId }).sign(privateKey);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", origin);
    const issuer = origin + url.pathname.slice(0, url.pathname.indexOf("/", 1) + 1);
    const sent = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
    const json = (body: object, status = 200): unknown =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    switch (`${request.method} ${url.href.slice(issuer.length).split("?", 1)[0]}`) {
      case "GET .well-known/openid-configuration":
        json({
          issuer,
          authorization_endpoint: `${issuer}authorize`,
          token_endpoint: `${issuer}token`,
          jwks_uri: `${issuer}keys`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["ES256"],
        });
        return;
      case "GET keys":
        json({ keys: [key] });
        return;
      case "GET authorize":
        response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
        return;
      case "POST authorize": {
        const code = randomUUID();
        codes.set(code, { user: userOf(sent), nonce: url.searchParams.get("nonce") ?? undefined });
        const to = new URL(url.searchParams.get("redirect_uri") ?? issuer);
        to.searchParams.set("code", code);
        to.searchParams.set("state", url.searchParams.get("state") ?? "");
        response.writeHead(303, { location: to.href }).end();
        return;
      }
      case "POST token": {
        shown += 1;
        const issuedCode = codes.get(sent.get("code") ?? "");
        codes.delete(sent.get("code") ?? "");
        if (issuedCode === undefined) json({ error: "invalid_grant" }, 400);
        else json({ access_token: randomUUID(), token_type: "Bearer", expires_in: 600, id_token: await idToken(issuedCode, issuer) });
        return;
      }
      default:
        json({ error: "not_found" }, 404);
    }
  };

  server.serve((request, response) => {
    handle(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  return { origin, shown: () => shown, close: () => server.close() };
}

/**
 * Submits a provider's login page.
 * @param address the URL of the authorization request to the provider.
 * @returns the callback URL with the code.
 */
export async function submitProviderLogin(address: string, user: ProviderUser): Promise<string> {
  const body = new URLSearchParams({ claims: JSON.stringify(user) });
  const response = await fetch(address, { method: "POST", body, redirect: "manual" });
  const location = response.headers.get("location");
  if (location === null) throw new Error(`the test provider responded with ${response.status}: ${await response.text()}`);
  return location;
}

/** Returns the user for the claims that a test sends, or for the fields that are filled in on the login page. */
function userOf(sent: URLSearchParams): ProviderUser {
  const claims = sent.get("claims");
  if (claims !== null) return JSON.parse(claims) as ProviderUser;
  const [email, name] = [sent.get("email") ?? "", sent.get("name") ?? ""];
  return { ...(email !== "" && { email }), ...(name !== "" && { name }) };
}

/** The login page for browsers. It accepts any email address and name. */
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Test provider</title>
<style>body { font: 1rem system-ui; max-width: 22rem; margin: 3rem auto; padding: 0 1rem } label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit } input, button { margin: .25rem 0 1rem; padding: .6rem }</style>
<h1>Test provider</h1>
<form method="post">
<label for="email">Email address</label><input id="email" name="email" type="email" autofocus>
<label for="name">Name</label><input id="name" name="name">
<button>Sign in</button>
</form>
</html>
`;
