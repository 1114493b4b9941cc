import { sessionOptions } from "./config.ts";

const sessionRoute = `import { auth } from "../../lib/auth";

export const { GET, POST } = auth.handlers;
`;

/**
 * The files of a Next.js app, by their paths below the folder of `app/`.
 * @param config the import path of the config from a file in that folder.
 */
export const nextFiles = (config: string): { readonly [path: string]: string } => ({
  "app/auth/[...postern]/route.ts": `import { toNextHandlers } from "@postern/next";
import { after } from "next/server";
import { openPostern } from "../../../${config}";

// The header in which your proxy sends the address of the client, for rate limits and the audit log. Clients must not be
// able to set it: your proxy replaces it, as Vercel does.
const addressHeader = process.env.VERCEL === "1" ? "x-real-ip" : process.env.CLIENT_ADDRESS_HEADER;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextHandlers(openPostern, {
  waitUntil: after, // Sends mail after the response, also on platforms that stop the process.
  clientAddress: ({ headers }) => (addressHeader === undefined ? undefined : (headers.get(addressHeader) ?? undefined)),
});
`,
  "lib/auth.ts": `import { createSessions, createTokenCheck } from "@postern/app";
import { toNextSessions } from "@postern/next";
import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { connection } from "next/server";
import { apiIdentifier, appUrl, openPostern } from "../${config}";

// 'next build' loads this file, possibly without secrets. It encrypts nothing.
const isBuild = process.env.NEXT_PHASE === "phase-production-build";

const sessions = createSessions({
  postern: openPostern,
  ${sessionOptions}
  secret: process.env.APP_SECRET ?? (isBuild ? "not-used-while-the-app-is-being-built" : ""),
});

/** The sessions of the app. \`auth.handlers\` handles /login, /callback and /logout. */
export const auth = toNextSessions(sessions, appUrl, { connection, cookies, headers, redirect });

/** Checks access tokens for the app's API. */
export const tokens = createTokenCheck({ postern: openPostern, tenantId: "main", audience: apiIdentifier });
`,
  "app/login/route.ts": sessionRoute,
  "app/callback/route.ts": sessionRoute,
  "app/logout/route.ts": sessionRoute,
  "app/me/page.tsx": `import { Suspense } from "react";
import { auth } from "../../lib/auth";

/** A protected part of a page: a visitor is sent to sign in and returns here. */
async function Account() {
  const { user } = await auth.requireSession("/me");
  return <p>Hello {user.email}</p>;
}

async function signOut() {
  "use server";
  await auth.signOut();
}

export default function Page() {
  return (
    <main>
      <Suspense fallback={<p>Loading</p>}>
        <Account />
      </Suspense>
      <p>
        <a href="/call-api">Call the API</a>
      </p>
      <form action={signOut}>
        <button>Sign out</button>
      </form>
    </main>
  );
}
`,
  "app/api/me/route.ts": `import { tokens } from "../../../lib/auth";

/** A protected API: it requires an access token with the scope \`read:profile\`. */
export async function GET(request: Request) {
  const claims = await tokens.requireToken(request, ["read:profile"]);
  return claims instanceof Response ? claims : Response.json({ user: claims.sub });
}
`,
  "app/call-api/route.ts": `import { auth } from "../../lib/auth";
import { appUrl } from "../../${config}";

/** Calls the API with the access token of the user, which stays on the server. */
export async function GET() {
  await auth.requireSession("/me");
  const token = await auth.getAccessToken();
  const reply = await fetch(new URL("api/me", appUrl), { headers: { authorization: \`Bearer \${token}\` }, cache: "no-store" });
  return new Response(await reply.text(), { status: reply.status, headers: { "content-type": "application/json" } });
}
`,
});
