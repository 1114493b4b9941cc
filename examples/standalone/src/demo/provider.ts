import { createHash, randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { choosePage } from "../pages/choose.ts";
import type { Page } from "../pages/layout.ts";

/** Somebody whom the provider knows. */
export interface Person {
  readonly sub: string;
  readonly name: string;
  readonly email: string;
}

const people: readonly Person[] = [
  { sub: "ada", name: "Ada Lovelace", email: "ada@demo.example" },
  { sub: "grace", name: "Grace Hopper", email: "grace@demo.example" },
  { sub: "alan", name: "Alan Turing", email: "alan@demo.example" },
];

/** As connections name us to it, and it has no other client: public, with PKCE. */
export const providerClientId = "postern";

/** What a person is asked for, until they choose who they are. */
interface Asked {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly challenge: string;
}

interface Code extends Asked {
  readonly person: Person;
  readonly expiresAt: number;
}

/** Codes that wait; more than a demo needs. */
const mostCodes = 100;

/** What the provider answers: a page to be drawn, or a response. */
export type ProviderAnswer = Response | Page;

/**
 * An identity provider with three people and no passwords, so that a newcomer sees a sign-in by one: as much of OpenID Connect as that takes. For this machine alone: whoever reaches it is whoever
 * they choose.
 * @param issuer its address, which ends in a slash.
 * @param redirectUri the only address that it sends people back to.
 */
export function createProvider(
  issuer: string,
  redirectUri: string,
): (request: Request, path: string) => Promise<ProviderAnswer | undefined> {
  const keys = generateKeyPair("ES256");
  const codes = new Map<string, Code>();

  async function authorize(request: Request): Promise<ProviderAnswer> {
    const { searchParams } = new URL(request.url);
    const form = request.method === "POST" ? new URLSearchParams(await request.text()) : searchParams;
    const asked: Asked = {
      redirectUri: form.get("redirect_uri") ?? "",
      state: form.get("state") ?? "",
      nonce: form.get("nonce") ?? "",
      challenge: form.get("code_challenge") ?? "",
    };
    if (asked.redirectUri !== redirectUri || form.get("client_id") !== providerClientId)
      return new Response("Only this server signs people in here.\n", { status: 400 });
    if (request.method === "GET") return choosePage(people, `${issuer}authorize`, { ...asked });
    if (request.headers.get("origin") !== new URL(issuer).origin) return new Response("Not from this page.\n", { status: 403 });
    const person = people.find(({ sub }) => sub === form.get("sub"));
    if (person === undefined) return back(asked, { error: "access_denied" });
    const code = randomBytes(24).toString("base64url");
    const [oldest] = codes.keys();
    if (codes.size >= mostCodes && oldest !== undefined) codes.delete(oldest);
    codes.set(code, { ...asked, person, expiresAt: Date.now() + 60_000 });
    return back(asked, { code });
  }

  function back({ state }: Asked, answer: { readonly [name: string]: string }): Response {
    const location = `${redirectUri}?${new URLSearchParams({ ...answer, state, iss: issuer })}`;
    return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
  }

  async function token(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const code = form.get("code") ?? "";
    const found = codes.get(code);
    codes.delete(code);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (found === undefined || found.expiresAt < Date.now() || found.challenge !== challenge || form.get("client_id") !== providerClientId)
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    const { sub, ...claims } = found.person;
    const idToken = await new SignJWT({ ...claims, email_verified: true, nonce: found.nonce })
      .setProtectedHeader({ alg: "ES256", kid: "demo" })
      .setIssuer(issuer)
      .setAudience(providerClientId)
      .setSubject(sub)
      .setIssuedAt()
      .setExpirationTime("5m")
      .sign((await keys).privateKey);
    return Response.json({ access_token: randomBytes(24).toString("base64url"), token_type: "Bearer", expires_in: 300, id_token: idToken });
  }

  return async (request, path) => {
    switch (`${request.method} ${path}`) {
      case "GET .well-known/openid-configuration":
        return Response.json({
          issuer,
          authorization_endpoint: `${issuer}authorize`,
          token_endpoint: `${issuer}token`,
          jwks_uri: `${issuer}keys`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["ES256"],
          code_challenge_methods_supported: ["S256"],
          token_endpoint_auth_methods_supported: ["none"],
          authorization_response_iss_parameter_supported: true,
        });
      case "GET keys":
        return Response.json({ keys: [{ ...(await exportJWK((await keys).publicKey)), kid: "demo", alg: "ES256", use: "sig" }] });
      case "GET authorize":
      case "POST authorize":
        return authorize(request);
      case "POST token":
        return token(request);
      default:
        return undefined;
    }
  };
}
