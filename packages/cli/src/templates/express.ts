import { authText, homePages, reportListening } from "./config.ts";

/** The files of an Express app, by their paths. */
export const expressFiles = {
  "auth.ts": authText({
    package: "@postern/express",
    sessions: "toExpressSessions",
    handler: "toExpressHandler",
    remark: " Use it before body parsers.",
  }),
  "server.ts": `import express from "express";
import { auth, posternHandler, requireProfileToken } from "./auth.ts";
import { appUrl, port } from "./postern.config.ts";

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
const { HOST = "127.0.0.1" } = process.env;
const server = app.listen(port, HOST);
${reportListening("${appUrl}")}
`,
};
