import { homePages, sessionOptions } from "./config.ts";

/** The files of an Express app, by their paths. */
export const expressFiles = {
  "auth.ts": `import { createSessions, createTokenCheck } from "@postern/app";
import { expressSessions, requireToken, toExpressHandler } from "@postern/express";
import { apiIdentifier, appUrl, openPostern } from "./postern.config.ts";

const postern = await openPostern();
const sessions = createSessions({
  postern,
  ${sessionOptions}
  secret: process.env.APP_SECRET ?? "",
});
const tokens = createTokenCheck({ postern, tenantId: "main", audience: apiIdentifier });

/** Handles every path below /auth/: OAuth, the login pages and the Management API. Use it before body parsers. */
export const posternHandler = toExpressHandler(postern);

/** The sessions of the app. \`auth.routes\` handles /login, /callback and /logout. */
export const auth = expressSessions(sessions, appUrl);

/** Requires an access token with the scope \`read:profile\`. */
export const requireProfileToken = requireToken(tokens, ["read:profile"]);
`,
  "server.ts": `import express from "express";
import { auth, posternHandler, requireProfileToken } from "./auth.ts";
import { appUrl } from "./postern.config.ts";

const app = express();
app.use(posternHandler);
app.use(auth.routes);

${homePages}

app.get("/", async (request, response) => {
  const session = await auth.getSession(request, response);
  response.send(session === undefined ? signedOutPage : signedInPage);
});

// A protected page: a visitor is sent to sign in and returns here.
app.get("/me", auth.requireSession, async (request, response) => {
  const session = await auth.getSession(request, response);
  response.type("text").send(\`Hello \${session?.user.email}\`);
});

// A protected API: it requires an access token.
app.get("/api/me", requireProfileToken, (request, response) => {
  response.json({ user: requireProfileToken.claims(request).sub });
});

// Calls the API with the access token of the user, which stays on the server.
app.get("/call-api", auth.requireSession, async (request, response) => {
  const token = await auth.getAccessToken(request, response);
  const reply = await fetch(new URL("api/me", appUrl), { headers: { authorization: \`Bearer \${token}\` } });
  response.status(reply.status).type("json").send(await reply.text());
});

// HOST=0.0.0.0 makes the app reachable from other machines.
const { HOST = "127.0.0.1", PORT = "3000" } = process.env;
app.listen(Number(PORT), HOST, () => console.log(\`Open \${appUrl}\`));
`,
};
