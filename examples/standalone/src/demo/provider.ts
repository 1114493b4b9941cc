import { createHash, randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { choosePage } from "../pages/choose.ts";
import type { Page } from "../pages/layout.ts";

/** A user of the provider. */
export interface DemoProviderUser {
  readonly sub: string;
  readonly name: string;
  readonly email: string;
}

const users: readonly DemoProviderUser[] = [
  { sub: "ada", name: "Ada Lovelace", email: "ada@demo.example" },
  { sub: "grace", name: "Grace Hopper", email: "grace@demo.example" },
  { sub: "alan", name: "Alan Turing", email: "alan@demo.example" },
];

/** The provider's only client, which Postern uses: a public client with PKCE. */
export const providerClientId = "postern";

/** The parameters of an authorization request. */
interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly challenge: string;
}

interface Code extends AuthorizationRequest {
  readonly user: DemoProviderUser;
  readonly expiresAt: number;
}

/** Maximum number of unused codes. */
const maximumCodes = 100;

/** The result of a provider request: a page to render, or a response. */
type ProviderResult = Response | Page;

/**
 * Creates an identity provider with three users and no passwords, which demonstrates a social login. It implements only
 * the necessary parts of OpenID Connect. The caller must serve it to this machine only, because each visitor can sign in
 * as any of its users.
 * @param issuer the provider's URL, with a trailing slash.
 * @param redirectUri the only allowed redirect URI.
 */
export function createDemoProvider(
  issuer: string,
  redirectUri: string,
): (request: Request, path: string) => Promise<ProviderResult | undefined> {
  const keys = generateKeyPair("ES256");
  const codes = new Map<string, Code>();

  async function authorize(request: Request): Promise<ProviderResult> {
    const { searchParams } = new URL(request.url);
    const form = request.method === "POST" ? new URLSearchParams(await request.text()) : searchParams;
    const authorization: AuthorizationRequest = {
      redirectUri: form.get("redirect_uri") ?? "",
      state: form.get("state") ?? "",
      nonce: form.get("nonce") ?? "",
      challenge: form.get("code_challenge") ?? "",
    };
    if (authorization.redirectUri !== redirectUri || form.get("client_id") !== providerClientId)
      return new Response("Only this server can use this provider.\n", { status: 400 });
    if (request.method === "GET") return choosePage(users, `${issuer}authorize`, { ...authorization });
    if (request.headers.get("origin") !== new URL(issuer).origin) return new Response("Not from this page.\n", { status: 403 });
    const user = users.find(({ sub }) => sub === form.get("sub"));
    if (user === undefined) return redirectBack(authorization, { error: "access_denied" });
    const code = randomBytes(24).toString("base64url");
    const [oldest] = codes.keys();
    if (codes.size >= maximumCodes && oldest !== undefined) codes.delete(oldest);
    codes.set(code, { ...authorization, user, expiresAt: Date.now() + 60_000 });
    return redirectBack(authorization, { code });
  }

  function redirectBack({ state }: AuthorizationRequest, response: { readonly [name: string]: string }): Response {
    const location = `${redirectUri}?${new URLSearchParams({ ...response, state, iss: issuer })}`;
    return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
  }

  async function token(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const code = form.get("code") ?? "";
    const issuedCode = codes.get(code);
    codes.delete(code);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (
      issuedCode === undefined ||
      issuedCode.expiresAt < Date.now() ||
      issuedCode.challenge !== challenge ||
      form.get("client_id") !== providerClientId
    )
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    const { sub, ...claims } = issuedCode.user;
    const idToken = await new SignJWT({ ...claims, email_verified: true, nonce: issuedCode.nonce })
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
