/** What `postern init` writes for a framework, besides the config. */
export interface Framework {
  /** For people. */
  readonly title: string;
  /** By their paths in the app. */
  readonly files: { readonly [path: string]: string };
  /** The package of its glue. */
  readonly glue: string;
  /** What is left to do by hand, a sentence each. */
  readonly next: readonly string[];
}

/** The frameworks that have glue, and Node alone. */
export type FrameworkName = "next" | "express" | "hono" | "node";

/** A database that `postern init` knows. */
interface Database {
  /** For people. */
  readonly title: string;
  /** Where it is while people develop. */
  readonly url: string;
  /** The package of its driver. */
  readonly driver: string;
}

/** The databases that a config begins with, by what their addresses begin with. */
export const databases = {
  sqlite: { title: "SQLite: a file, no server", url: "sqlite:./data/postern.db", driver: "better-sqlite3" },
  postgres: { title: "PostgreSQL", url: "postgres://postgres@localhost:5432/postgres", driver: "pg" },
  mysql: { title: "MySQL or MariaDB", url: "mysql://root@localhost:3306/postern", driver: "mysql2" },
} as const satisfies { readonly [name: string]: Database };

/** A name of {@link databases}. */
export type DatabaseName = keyof typeof databases;

/** The text of `postern.config.ts`. */
export const configOn = (database: DatabaseName): string => `import { createPostern, keyRing } from "@postern/core";
import { openDatabase } from "@postern/kysely/url";

/** Makes the identity service of this app. The app and the command line ('npx postern') both open it here. */
export async function open() {
  const { DATABASE_URL = "${databases[database].url}", ISSUER = "http://localhost:3000/auth/", POSTERN_SECRET = "" } = process.env;
  const data = await openDatabase(DATABASE_URL);
  const postern = createPostern({
    issuer: ISSUER,
    data,
    crypto: { secret: keyRing(POSTERN_SECRET) },
    defaultTenantId: "main",
    development: process.env.NODE_ENV !== "production",
  });
  return { postern, data };
}

let opened: ReturnType<typeof open> | undefined;

/** The identity service, made at the first call: with its tables, and with an app that people sign in to. */
export async function openPostern() {
  opened ??= open().then(async ({ postern, data }) => {
    await data.migrate();
    await postern.seed({
      tenantId: "main",
      clients: [
        {
          clientId: "app",
          // It asks in process, where nobody has to prove to be it.
          settings: { name: "Our app", app_type: "regular_web", token_endpoint_auth_method: "none", callbacks: ["http://localhost:3000/callback"] },
        },
      ],
    });
    return { postern, data };
  });
  return (await opened).postern;
}
`;

const ignore = "Add .env and data/ to .gitignore.";
const address = "http://localhost:3000/auth/.well-known/openid-configuration";
const look = `Start the app, and open ${address}`;
/** Next.js reads .env by itself; Node does so where it is told to. */
const startNode = `node --env-file=.env <file>  # the file that starts your app; then open ${address}`;

/** What is written, by framework. */
export const frameworks: { readonly [Name in FrameworkName]: Framework } = {
  next: {
    title: "Next.js",
    files: {
      "app/auth/[...postern]/route.ts": `import { toNextHandlers } from "@postern/next";
import { openPostern } from "../../../postern.config.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextHandlers(openPostern);
`,
    },
    glue: "@postern/next",
    next: [ignore, look],
  },
  express: {
    title: "Express",
    files: {
      "postern.mount.ts": `import { toExpressHandler } from "@postern/express";
import { openPostern } from "./postern.config.ts";

/** Everything below /auth/ is Postern's: \`app.use(posternHandler)\`, before body parsers. */
export const posternHandler = toExpressHandler(await openPostern());
`,
    },
    glue: "@postern/express",
    next: [
      'In your app: import { posternHandler } from "./postern.mount.ts"; app.use(posternHandler), before body parsers.',
      ignore,
      startNode,
    ],
  },
  hono: {
    title: "Hono",
    files: {
      "postern.mount.ts": `import { toHonoHandler } from "@postern/hono";
import { openPostern } from "./postern.config.ts";

/** Everything below /auth/ is Postern's: \`app.all("/auth/*", posternHandler)\`. */
export const posternHandler = toHonoHandler(await openPostern());
`,
    },
    glue: "@postern/hono",
    next: ['In your app: import { posternHandler } from "./postern.mount.ts"; app.all("/auth/*", posternHandler).', ignore, startNode],
  },
  node: {
    title: "Node alone",
    files: {
      "postern.server.ts": `import { toNodeHandler } from "@postern/express";
import { createServer } from "node:http";
import { openPostern } from "./postern.config.ts";

createServer(toNodeHandler(await openPostern())).listen(3000, "127.0.0.1", () => {
  console.log("http://localhost:3000/auth/.well-known/openid-configuration");
});
`,
    },
    glue: "@postern/express",
    next: [ignore, "node --env-file=.env postern.server.ts"],
  },
};
