import { createPrivateKey } from "node:crypto";
import { createServer } from "node:http";
import Provider from "oidc-provider";
import { facts, ready } from "./facts.js";
import { createLogin } from "./login.js";
import { endPreparation, MemoryAdapter } from "./memory-adapter.js";

const keys = Object.entries(facts.keys).map(([alg, { kid, privateKey }]) => {
  const key = createPrivateKey({ key: Buffer.from(privateKey, "base64"), format: "der", type: "pkcs8" });
  return { ...key.export({ format: "jwk" }), kid, alg, use: "sig" };
});

// oidc-provider has no users. These are in memory.
const users = new Map(facts.userIds.map((id, i) => [id, `person${i}@example.com`]));
const login = createLogin(users);
const audience = "https://rs256.example/";
const scope = "openid profile email offline_access";

const provider = new Provider(facts.issuer, {
  adapter: MemoryAdapter,
  jwks: { keys },
  clients: [
    {
      client_id: "bench",
      client_secret: facts.secret,
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
      token_endpoint_auth_method: "client_secret_post",
    },
    {
      client_id: facts.app.clientId,
      client_secret: facts.secret,
      grant_types: ["authorization_code", "refresh_token"],
      redirect_uris: [facts.app.redirectUri],
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_post",
    },
  ],
  claims: { profile: ["name", "nickname", "picture", "given_name", "family_name", "updated_at"], email: ["email", "email_verified"] },
  findAccount: (_context, accountId) => {
    const email = users.get(accountId);
    if (email === undefined) return undefined;
    const profile = { name: "Person", nickname: "person", given_name: "Per", family_name: "Son", updated_at: 1_735_689_600 };
    return { accountId, claims: () => ({ sub: accountId, ...profile, email, email_verified: true }) };
  },
  ttl: { AccessToken: 86_400, Grant: 2_592_000, IdToken: 36_000, Interaction: 3600, RefreshToken: 1_296_000, Session: 259_200 },
  rotateRefreshToken: true,
  issueRefreshToken: async (_context, client, code) => client.grantTypeAllowed("refresh_token") && code.scopes.has("offline_access"),
  // The user's consent, as Postern's first-party client needs none.
  loadExistingGrant: async ({ oidc }) => {
    const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope(scope);
    await grant.save();
    return grant;
  },
  interactions: { url: (_context, { uid }) => `/login/${uid}` },
  cookies: { keys: [facts.keyRing] },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_context, resource) => ({
        scope: "read write openid profile email offline_access",
        audience: resource,
        accessTokenFormat: "jwt",
        accessTokenTTL: 86_400,
        jwt: { sign: { alg: resource.includes("es256") ? "ES256" : "RS256" } },
      }),
    },
  },
});
provider.on("server_error", (_context, error) => console.error(error));

// Grants and refresh tokens as logins would leave them, and an opaque access token, because /me rejects JWTs.
const client = await provider.Client.find(facts.app.clientId);
const refreshTokens = [];
let accessToken = "";
for (let i = 0; i < facts.refreshTokens; i++) {
  const accountId = facts.userIds[i % facts.userIds.length];
  const grant = new provider.Grant({ clientId: client.clientId, accountId });
  grant.addOIDCScope(scope);
  grant.addResourceScope(audience, scope);
  const token = { accountId, client, grantId: await grant.save(), scope, gty: "authorization_code", claims: {}, authTime: 1_735_689_600 };
  refreshTokens.push(await new provider.RefreshToken({ ...token, resource: audience }).save());
  if (i === 0) accessToken = await new provider.AccessToken(token).save();
}
endPreparation();

const listener = provider.callback();
ready(
  createServer((request, response) => {
    if (request.url.startsWith("/login/")) void login(provider, request, response);
    else void listener(request, response);
  }),
  { accessToken, refreshTokens: refreshTokens.join(" ") },
);
