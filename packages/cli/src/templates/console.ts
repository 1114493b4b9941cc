/** What `postern init` adds to an app that serves the admin console. */
export interface ConsoleParts {
  /** The text of `admin.ts`. */
  readonly admin: string;
  /** Returns the text of the server file with the lines that mount the console. */
  mount(server: string): string;
  /** The instruction for an app that already has a server file. */
  readonly step: string;
}

/** Returns the text of `admin.ts`. @param handler the function that makes a request handler of the console. */
const adminText = (handler: string, from: string): string => `import { createAdmin } from "@postern/admin";
import { appSessions } from "@postern/app";
import { openDatabase } from "@postern/kysely/url";
import { ${handler} } from "${from}";
import { appUrl, openPostern } from "./postern.config.ts";

const postern = await openPostern();
const consoleUrl = new URL("admin/", appUrl).href;

await postern.seed({
  tenantId: "main",
  clients: [
    {
      clientId: "console",
      settings: {
        name: "Admin console",
        app_type: "regular_web",
        token_endpoint_auth_method: "none",
        callbacks: [new URL("callback", consoleUrl).href],
        allowed_logout_urls: [consoleUrl],
      },
      sync: true,
    },
  ],
});

// A separate connection for the sessions of operators.
const data = await openDatabase(process.env.DATABASE_URL ?? "");

/** Handles every path below /admin/: the admin console. Operators sign in with their own account. */
export const adminHandler = ${handler}(
  createAdmin({
    postern,
    tenantId: "main",
    clientId: "console",
    appUrl: consoleUrl,
    secret: process.env.APP_SECRET ?? "",
    store: appSessions(data),
    findings: () => postern.doctor(),
  }),
);
`;

const importLine = 'import { adminHandler } from "./admin.ts";\n';

/** The console in each framework. docs/admin-console.md has the file for Next.js. */
export const consoles = {
  express: {
    admin: adminText("toExpressHandler", "@postern/express"),
    mount: (server) => importLine + server.replace("app.use(posternHandler);", "app.use(posternHandler);\napp.use(adminHandler);"),
    step: "In your app: app.use(adminHandler) from admin.ts, before body parsers",
  },
  hono: {
    admin: adminText("toHonoHandler", "@postern/hono"),
    mount: (server) => importLine + server.replace('app.all("/auth/*", posternHandler);', '$&\napp.all("/admin/*", adminHandler);'),
    step: 'In your app: app.all("/admin/*", adminHandler) from admin.ts',
  },
  node: {
    admin: adminText("toNodeHandler", "@postern/express"),
    mount: (server) =>
      importLine +
      server.replace(
        "const server = createServer(toNodeHandler(await openPostern()))",
        `const posternHandler = toNodeHandler(await openPostern());
const server = createServer((request, response) =>
  (/^\\/admin(?:[/?]|$)/.test(request.url ?? "") ? adminHandler : posternHandler)(request, response),
)`,
      ),
    step: "In your app: send requests for /admin/ to adminHandler from admin.ts",
  },
} as const satisfies { readonly [framework: string]: ConsoleParts };
