import { existsSync } from "node:fs";
import { join } from "node:path";
import { reportListening, tsconfigText } from "./config.ts";
import { expressFiles } from "./express.ts";
import { honoFiles } from "./hono.ts";
import { nextFiles } from "./next.ts";

/** The files that `postern init` writes for a framework in addition to the config. */
export interface Framework {
  /** The display name of the framework. */
  readonly title: string;
  /** Returns the files by their paths in the app. @param cwd the folder of the app. */
  files(cwd: string): { readonly [path: string]: string };
  /** The packages that the files import in addition to those of the config. */
  readonly packages: readonly string[];
  /** The packages that an editor and the TypeScript compiler need. */
  readonly types: readonly string[];
  /** The file that starts the app, and the instruction for an app that already has such a file. */
  readonly server?: { readonly path: string; readonly mount: string };
  /** The command that starts the app. */
  readonly start: string;
  /** Instructions for the browser. */
  readonly open: string;
}

/** The frameworks with an integration package, and Node.js without a framework. */
export type FrameworkName = "next" | "express" | "hono" | "node";

/** A database that `postern init` supports. */
interface Database {
  /** The display name of the database. */
  readonly title: string;
  /** Its URL in development. */
  readonly url: string;
  /** The packages that contain its driver. Empty if the runtime has a driver. */
  readonly drivers: readonly string[];
}

/** The supported databases, by the scheme of their URLs. */
export const databases = {
  sqlite: { title: "SQLite: a file, no server", url: "sqlite:./data/postern.db", drivers: [] },
  postgres: { title: "PostgreSQL", url: "postgres://postgres@localhost:5432/postgres", drivers: ["pg"] },
  mysql: { title: "MySQL or MariaDB", url: "mysql://root@localhost:3306/postern", drivers: ["mysql2"] },
} as const satisfies { readonly [name: string]: Database };

/** A name of {@link databases}. */
export type DatabaseName = keyof typeof databases;

/** The packages that `postern.config.ts` imports. */
export const configPackages = ["@postern/core", "@postern/kysely"] as const;

const tsconfig = { "tsconfig.json": tsconfigText } as const;
const types = ["typescript", "@types/node"] as const;
const account = "sign in as me@example.com with the password 'correct horse battery'";
const sessionPackages = ["@postern/app"] as const;

/** Every framework that `postern init` supports. */
export const frameworks: { readonly [Name in FrameworkName]: Framework } = {
  next: {
    title: "Next.js",
    files(cwd) {
      const isBelowSrc = !existsSync(join(cwd, "app")) && existsSync(join(cwd, "src/app"));
      const files = Object.entries(nextFiles(isBelowSrc ? "../postern.config" : "postern.config"));
      return Object.fromEntries(files.map(([path, text]) => [isBelowSrc ? `src/${path}` : path, text]));
    },
    packages: [...sessionPackages, "@postern/next"],
    types: [],
    start: "npx next dev",
    open: `Open http://localhost:3000/me and ${account}`,
  },
  express: {
    title: "Express",
    files: () => ({ ...expressFiles, ...tsconfig }),
    packages: [...sessionPackages, "@postern/express", "express"],
    types: [...types, "@types/express"],
    server: { path: "server.ts", mount: "In your app: app.use(posternHandler, auth.routes) from auth.ts, before body parsers" },
    start: "node --env-file=.env server.ts",
    open: `Open http://localhost:3000/ and ${account}`,
  },
  hono: {
    title: "Hono",
    files: () => ({ ...honoFiles, ...tsconfig }),
    packages: [...sessionPackages, "@postern/hono", "hono", "@hono/node-server"],
    types,
    server: { path: "server.ts", mount: 'In your app: app.all("/auth/*", posternHandler) and app.use(auth.routes), both from auth.ts' },
    start: "node --env-file=.env server.ts",
    open: `Open http://localhost:3000/ and ${account}`,
  },
  node: {
    title: "Node.js without a framework",
    files: () => ({
      "postern.server.ts": `import { toNodeHandler } from "@postern/express";
import { createServer } from "node:http";
import { appUrl, openPostern, port } from "./postern.config.ts";

// HOST=0.0.0.0 makes the app reachable from other machines.
const { HOST = "127.0.0.1" } = process.env;
const server = createServer(toNodeHandler(await openPostern())).listen(port, HOST);
${reportListening("${appUrl}auth/.well-known/openid-configuration")}
`,
      ...tsconfig,
    }),
    packages: ["@postern/express"],
    types,
    start: "node --env-file=.env postern.server.ts",
    open: "Open http://localhost:3000/auth/.well-known/openid-configuration. Sign users in to your app: docs/app-session.md, with the client 'app'",
  },
};
