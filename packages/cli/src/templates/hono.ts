import { authText, homePages, reportListening } from "./config.ts";

/** The files of a Hono app on Node, by their paths. */
export const honoFiles = {
  "auth.ts": authText({ package: "@postern/hono", sessions: "toHonoSessions", handler: "toHonoHandler" }),
  "server.ts": `import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { auth, posternHandler, requireProfileToken } from "./auth.ts";
import { appUrl, port } from "./postern.config.ts";

const app = new Hono();
app.all("/auth/*", posternHandler);
app.use(auth.routes);

${homePages}

app.get("/", async (c) => c.html((await auth.getSession(c)) === undefined ? signedOutPage : signedInPage));

// A protected page: a visitor is sent to sign in and returns here.
app.get("/me", auth.requireSession, (c) => c.text(\`Hello \${c.get("session").user.email}\`));

// A protected API: it requires an access token.
app.get("/api/me", requireProfileToken, (c) => c.json({ user: c.get("token").sub }));

// Calls the API with the access token of the user, which stays on the server.
app.get("/call-api", auth.requireSession, async (c) => {
  const token = await auth.getAccessToken(c);
  const reply = await fetch(new URL("api/me", appUrl), { headers: { authorization: \`Bearer \${token}\` } });
  return c.body(await reply.text(), reply.ok ? 200 : 502, { "content-type": "application/json" });
});

// HOST=0.0.0.0 makes the app reachable from other machines.
const { HOST = "127.0.0.1" } = process.env;
const server = serve({ fetch: app.fetch, hostname: HOST, port });
${reportListening("${appUrl}")}
`,
};
