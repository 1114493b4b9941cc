import { createHash, randomBytes } from "node:crypto";
import { facts } from "./facts.js";

/** The password of the users that can sign in. */
const password = "correct horse battery staple";

/**
 * Creates the users, the clients and the refresh tokens of the benchmark in a new database.
 * @returns the values that requests need.
 */
export async function createData(auth, database, origin) {
  /** Creates a user with the password of the benchmark. @returns the user's id and the cookies of the session. */
  async function signUp(email) {
    const body = { email, password, name: email };
    const { headers, response } = await auth.api.signUpEmail({ body, returnHeaders: true });
    return { id: response.user.id, cookie: cookiesOf(headers) };
  }
  const { id: adminId, cookie } = await signUp("admin@example.com");
  database.prepare("update user set role = 'admin' where id = ?").run(adminId);
  const insert = database.prepare(
    "insert into user (id, name, email, emailVerified, createdAt, updatedAt, role) values (?, ?, ?, 1, ?, ?, 'user')",
  );
  database.transaction(() => {
    facts.userIds.forEach((id, i) => {
      const created = new Date(Date.UTC(2025, 0, 1) + i * 1000).toISOString();
      insert.run(id, `Person ${i}`, `person${i}@example.com`, created, created);
    });
  })();
  for (let i = 0; i < facts.loginUsers; i++) await signUp(`user${i}@example.com`);

  const createClient = (body) =>
    auth.api.adminCreateOAuthClient({
      headers: new Headers({ cookie }),
      body: { token_endpoint_auth_method: "client_secret_post", skip_consent: true, ...body },
    });
  const machine = await createClient({
    redirect_uris: ["https://app.example/callback"],
    grant_types: ["client_credentials"],
    scope: "read write",
    client_credentials_scopes: ["read", "write"],
  });
  const app = await createClient({
    redirect_uris: [facts.app.redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    scope: "openid profile email offline_access",
  });

  // The tokens of one login, and copies of its refresh token.
  const verifier = randomBytes(32).toString("base64url");
  const authorization = {
    client_id: app.client_id,
    redirect_uri: facts.app.redirectUri,
    response_type: "code",
    scope: "openid profile email offline_access",
    state: "a-state",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  };
  const authorized = await auth.handler(
    new Request(`${origin}/api/auth/oauth2/authorize?${new URLSearchParams(authorization)}`, { headers: { cookie } }),
  );
  const exchanged = await auth.handler(
    new Request(`${origin}/api/auth/oauth2/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        client_id: app.client_id,
        client_secret: app.client_secret,
        code: new URL(authorized.headers.get("location")).searchParams.get("code"),
        code_verifier: verifier,
        redirect_uri: facts.app.redirectUri,
        resource: facts.audience,
      }),
    }),
  );
  const tokens = await exchanged.json();
  const hashOf = (token) => createHash("sha256").update(token).digest("base64url");
  const row = database.prepare("select * from oauthRefreshToken where token = ?").get(hashOf(tokens.refresh_token));
  const columns = Object.keys(row);
  const copy = database.prepare(`insert into oauthRefreshToken (${columns}) values (${columns.map((column) => `@${column}`)})`);
  const refreshTokens = facts.userIds.slice(0, facts.refreshTokens).map((userId) => {
    const token = randomBytes(32).toString("base64url");
    copy.run({ ...row, id: randomBytes(16).toString("hex"), token: hashOf(token), userId, authorizationCodeId: token });
    return token;
  });

  return {
    cookie,
    origin,
    clientId: machine.client_id,
    clientSecret: machine.client_secret,
    appId: app.client_id,
    appSecret: app.client_secret,
    accessToken: tokens.access_token,
    refreshTokens: refreshTokens.join(" "),
  };
}

function cookiesOf(headers) {
  return headers
    .getSetCookie()
    .map((text) => text.split(";", 1)[0])
    .join("; ");
}
