import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createPostern } from "@postern/core";
import { toNodeHandler } from "@postern/express";
import { openDatabase } from "@postern/kysely/url";

const { DATABASE_URL = "sqlite:./data/app.db", PORT = "3000", ISSUER = `http://localhost:${PORT}/auth/`, NODE_ENV } = process.env;

/** In development, the public secrets in this file are sufficient. Every other environment must set secret values. */
const isDevelopment = NODE_ENV !== "production" && new URL(ISSUER).hostname === "localhost";

function secret(name: "POSTERN_SECRET" | "USER_PASSWORD", forDevelopment: string): string {
  const value = process.env[name] ?? (isDevelopment ? forDevelopment : undefined);
  if (value === undefined) throw new Error(`${name} is not set. It is required in production, and if the host of ISSUER is not localhost`);
  return value;
}

const POSTERN_SECRET = secret("POSTERN_SECRET", "for-development-only-0123456789abcdef");
const USER_PASSWORD = secret("USER_PASSWORD", "correct horse battery");
const signedIn = new URL("/signed-in", ISSUER).href;

const data = await openDatabase(DATABASE_URL);
await data.migrate();
const postern = createPostern({ issuer: ISSUER, data, crypto: { secret: POSTERN_SECRET }, defaultTenantId: "main", loginPage: "/sign-in" });
await postern.seed({
  tenantId: "main",
  clients: [{ clientId: "app", settings: { name: "App", app_type: "spa", callbacks: [signedIn] } }],
  user: { email: "me@example.com", password: USER_PASSWORD },
});

const html = (body: string): string =>
  `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Sign in</title>${body}`;
const script = readFileSync(new URL("sign-in.js", import.meta.url), "utf8");
const files: { readonly [path: string]: readonly [type: string, text: string] } = {
  "/sign-in": ["text/html", html('<main data-flow="/auth/u/flow"></main><script type="module" src="/sign-in.js"></script>')],
  "/sign-in.js": ["text/javascript", script],
  "/signed-in": ["text/html", html("<main><h1>Signed in</h1><p>The app exchanges its code now.</p></main>")],
};

const handle = toNodeHandler(postern);

/**
 * Accepts connections only from this machine, for example from a TLS proxy. Postern handles every path below /auth/.
 */
export const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "/", ISSUER);
  if (pathname.startsWith("/auth/")) return handle(request, response);
  const [type, text] = files[pathname] ?? ["text/plain", "Nothing here"];
  const policy = "default-src 'none'; script-src 'self'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";
  response.writeHead(pathname in files ? 200 : 404, {
    "content-type": `${type}; charset=utf-8`,
    "content-security-policy": policy,
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
  });
  response.end(text);
}).listen(Number(PORT), "127.0.0.1");
