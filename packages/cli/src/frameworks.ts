/** What `postern init` writes for a framework. */
export interface Framework {
  /** By their paths in the app. */
  readonly files: { readonly [path: string]: string };
  /** The packages that these files import. */
  readonly install: readonly string[];
  /** What is left to do by hand, a sentence each. */
  readonly next: readonly string[];
}

/** The frameworks that have glue, and Node alone. */
export type FrameworkName = "next" | "express" | "hono" | "node";

const config = `import { createPostern, keyRing } from "@postern/core";
import { openDatabase } from "@postern/kysely/url";

/** Makes the identity service of this app. The app and the command line ('npx postern') both open it here. */
export async function open() {
  const { DATABASE_URL = "sqlite:./data/postern.db", ISSUER = "http://localhost:3000/auth/", POSTERN_SECRET = "" } = process.env;
  const data = await openDatabase(DATABASE_URL);
  const postern = createPostern({ issuer: ISSUER, data, crypto: { secret: keyRing(POSTERN_SECRET) }, defaultTenantId: "main" });
  return { postern, data };
}

let opened: ReturnType<typeof open> | undefined;

/** The identity service, made at the first call: with its tables, and with an app that people sign in to. */
export async function openPostern() {
  opened ??= open().then(async ({ postern, data }) => {
    await data.migrate();
    await postern.seed({
      tenantId: "main",
      clients: [{ clientId: "my-app", settings: { name: "My app", app_type: "spa", callbacks: ["http://localhost:3000/callback"] } }],
    });
    return { postern, data };
  });
  return (await opened).postern;
}
`;

const ignore = "Add .env and data/ to .gitignore.";
const look = "Start the app, and open http://localhost:3000/auth/.well-known/openid-configuration";
const base = ["@postern/core", "@postern/kysely", "better-sqlite3"];

/** What is written, by framework. */
export const frameworks: { readonly [Name in FrameworkName]: Framework } = {
  next: {
    files: {
      "postern.config.ts": config,
      "app/auth/[...postern]/route.ts": `import { toNextHandlers } from "@postern/next";
import { openPostern } from "../../../postern.config.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextHandlers(openPostern);
`,
    },
    install: [...base, "@postern/next"],
    next: [ignore, look],
  },
  express: {
    files: {
      "postern.config.ts": config,
      "postern.mount.ts": `import { toExpressHandler } from "@postern/express";
import { openPostern } from "./postern.config.ts";

/** Everything below /auth/ is Postern's: \`app.use(posternHandler)\`, before body parsers. */
export const posternHandler = toExpressHandler(await openPostern());
`,
    },
    install: [...base, "@postern/express"],
    next: ['In your app: import { posternHandler } from "./postern.mount.ts"; app.use(posternHandler), before body parsers.', ignore, look],
  },
  hono: {
    files: {
      "postern.config.ts": config,
      "postern.mount.ts": `import { toHonoHandler } from "@postern/hono";
import { openPostern } from "./postern.config.ts";

/** Everything below /auth/ is Postern's: \`app.all("/auth/*", posternHandler)\`. */
export const posternHandler = toHonoHandler(await openPostern());
`,
    },
    install: [...base, "@postern/hono"],
    next: ['In your app: import { posternHandler } from "./postern.mount.ts"; app.all("/auth/*", posternHandler).', ignore, look],
  },
  node: {
    files: {
      "postern.config.ts": config,
      "postern.server.ts": `import { toNodeHandler } from "@postern/express";
import { createServer } from "node:http";
import { openPostern } from "./postern.config.ts";

createServer(toNodeHandler(await openPostern())).listen(3000, "127.0.0.1", () => {
  console.log("http://localhost:3000/auth/.well-known/openid-configuration");
});
`,
    },
    install: [...base, "@postern/express"],
    next: [ignore, "node --env-file=.env postern.server.ts"],
  },
};
