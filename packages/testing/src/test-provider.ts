import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { listen } from "./listen.ts";

/** Somebody at a test provider: what its ID token says of them. */
export interface ProviderPerson {
  /** Who they are there. Default: made from the address. */
  readonly sub?: string;
  readonly email?: string;
  /** Default: true where there is an address. */
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly [claim: string]: unknown;
}

/** An identity provider over HTTP on this machine: OpenID Connect, with a page that asks nobody for a password. */
export interface ProviderServer {
  readonly origin: string;
  /** How many codes it was shown so far. */
  shown(): number;
  close(): Promise<void>;
}

/** What our service is called there. */
export const client = { id: "postern", secret: "only-for-tests-0123456789" } as const;

const keyId = "test-provider";

/** A code that was given: whose, and for which request. */
interface Given {
  readonly person: ProviderPerson;
  readonly nonce: string | undefined;
}

/** Starts a {@link ProviderServer}. Each path below it is a provider of its own, with that issuer. @param now milliseconds since 1970. */
export async function startProviderServer(now: () => number): Promise<ProviderServer> {
  const server = await listen(0);
  const origin = `http://127.0.0.1:${server.port}`;
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  const key = { ...(await exportJWK(publicKey)), kid: keyId, alg: "ES256", use: "sig" };
  const codes = new Map<string, Given>();
  let shown = 0;

  const idToken = ({ person, nonce }: Given, issuer: string): Promise<string> => {
    const { email } = person;
    const sub = createHash("sha256")
      .update(email ?? randomUUID())
      .digest("hex")
      .slice(0, 20);
    const issued = Math.floor(now() / 1000);
    const times = { iss: issuer, aud: client.id, iat: issued, exp: issued + 600 };
    const claims = {
      sub,
      ...(email !== undefined && { email_verified: true }),
      ...person,
      ...times,
      ...(nonce !== undefined && { nonce }),
    };
    return new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: keyId }).sign(privateKey);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
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
        codes.set(code, { person: personOf(sent), nonce: url.searchParams.get("nonce") ?? undefined });
        const to = new URL(url.searchParams.get("redirect_uri") ?? issuer);
        to.searchParams.set("code", code);
        to.searchParams.set("state", url.searchParams.get("state") ?? "");
        response.writeHead(303, { location: to.href }).end();
        return;
      }
      case "POST token": {
        shown += 1;
        const given = codes.get(sent.get("code") ?? "");
        codes.delete(sent.get("code") ?? "");
        if (given === undefined) json({ error: "invalid_grant" }, 400);
        else json({ access_token: randomUUID(), token_type: "Bearer", expires_in: 600, id_token: await idToken(given, issuer) });
        return;
      }
      default:
        json({ error: "not_found" }, 404);
    }
  };

  server.serve((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  return { origin, shown: () => shown, close: () => server.close() };
}

/** Signs somebody in at a provider's page. @param address where the browser was sent to. @returns where the browser is sent back to. */
export async function signInThere(address: string, person: ProviderPerson): Promise<string> {
  const body = new URLSearchParams({ claims: JSON.stringify(person) });
  const response = await fetch(address, { method: "POST", body, redirect: "manual" });
  const back = response.headers.get("location");
  if (back === null) throw new Error(`the test provider answered ${response.status}: ${await response.text()}`);
  return back;
}

/** Claims as a test sends them, or the fields of the page as a person fills them in. */
function personOf(sent: URLSearchParams): ProviderPerson {
  const claims = sent.get("claims");
  if (claims !== null) return JSON.parse(claims) as ProviderPerson;
  const [email, name] = [sent.get("email") ?? "", sent.get("name") ?? ""];
  return { ...(email !== "" && { email }), ...(name !== "" && { name }) };
}

/** What a browser shows: whoever one says to be. */
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
