import { webClient as web, testUser } from "../../support/code-flow-fixtures.ts";

const clientId = "our-app";
const audience = "https://api.example.test";

/** The seed of the app's service. Access tokens expire within the refresh margin, so every page view refreshes them. */
const seed = {
  tenantId: "main",
  apis: [{ identifier: audience, settings: { token_lifetime: 30, allow_offline_access: true } }],
  user: testUser,
};
const settings = {
  name: "Our app",
  app_type: "regular_web",
  token_endpoint_auth_method: "none",
  grant_types: ["authorization_code", "refresh_token"],
};

const route = (depth: string): string => `import { auth } from "${depth}lib/auth";
export const { GET, POST } = auth.handlers;
`;

/**
 * The files of a Next.js app that signs users in to itself, as docs/app-session.md shows. The service is at `/id/`,
 * below `ORIGIN`.
 */
export const sessionFiles: { readonly [path: string]: string } = {
  "lib/identity.ts": `import { createPostern } from "@postern/core";
import { openDatabase } from "@postern/kysely/url";

export async function openIdentity() {
  const { ORIGIN = "http://localhost:3000" } = process.env;
  // A file and not memory: \`proxy.ts\` is a separate bundle, which opens a second instance of the service.
  const data = await openDatabase("sqlite:./data/" + new URL(ORIGIN).port + ".db");
  await data.migrate();
  const postern = createPostern({ issuer: ORIGIN + "/id/", data, crypto: { secret: "0123456789abcdef0123456789abcdef" }, defaultTenantId: "main" });
  const settings = { ...(${JSON.stringify(settings)} as const), callbacks: [ORIGIN + "/callback"], allowed_logout_urls: [ORIGIN] };
  await postern.seed({ ...${JSON.stringify(seed)}, clients: [{ clientId: "${clientId}", settings: { ...settings, grant_types: [...settings.grant_types] } }] });
  return postern;
}
`,
  "app/id/[...postern]/route.ts": `import { toNextHandlers } from "@postern/next";
import { openIdentity } from "../../../lib/identity";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextHandlers(openIdentity);
`,
  "lib/auth.ts": `import { createSessions } from "@postern/app";
import { toNextSessions } from "@postern/next";
import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { connection } from "next/server";
import { openIdentity } from "./identity";

const appUrl = (process.env["ORIGIN"] ?? "http://localhost:3000") + "/";
const secret = "${web.secret}-of-the-app";
const sessions = createSessions({ postern: openIdentity, tenantId: "main", clientId: "${clientId}", appUrl, secret, audience: "${audience}" });

export const auth = toNextSessions(sessions, appUrl, { connection, cookies, headers, redirect });
`,
  "app/login/route.ts": route("../../"),
  "app/callback/route.ts": route("../../"),
  "app/logout/route.ts": route("../../"),
  "app/me/page.tsx": `import { Suspense } from "react";
import { auth } from "../../lib/auth";

async function Me() {
  const { user } = await auth.requireSession("/me");
  return <p id="me">{user.email}</p>;
}

async function signOut() {
  "use server";
  await auth.signOut();
}

export default function Page() {
  return (
    <main>
      <Suspense fallback={<p>One moment</p>}>
        <Me />
      </Suspense>
      <form action={signOut}>
        <button>Sign out</button>
      </form>
    </main>
  );
}
`,
  "proxy.ts": `import { NextResponse, type NextRequest } from "next/server";
import { auth } from "./lib/auth";

export async function proxy(request: NextRequest) {
  const response = NextResponse.next();
  for (const line of await auth.refresh(request)) response.headers.append("set-cookie", line);
  return response;
}

export const config = { matcher: "/me" };
`,
};
