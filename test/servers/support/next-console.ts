import { testUser } from "../../support/code-flow-fixtures.ts";
import { examples, fillIn } from "../../support/guides.ts";

/**
 * Returns the files of a Next.js app that serves the admin console at `/admin/`, with the code of docs/admin-console.md,
 * and its service at `/operators/`. Both are below `ORIGIN`, which contains the base path.
 */
export function consoleFiles(basePath?: string): { readonly [path: string]: string } {
  const location = JSON.stringify({ basePath });
  const [guide = ""] = examples("admin-console", "Mount it in Next.js", "ts");
  return {
    "lib/operators.ts": `import { createPostern } from "@postern/core";
import { openDatabase } from "@postern/kysely/url";

const { ORIGIN = "http://localhost:3000" } = process.env;

// A file and not memory, because the console has a second connection.
export const environment = {
  APP_URL: ORIGIN + "/",
  CONSOLE_SECRET: "a-console-secret-0123456789-abcdefgh",
  DATABASE_URL: "sqlite:./data/operators-" + new URL(ORIGIN).port + ".db",
};

export async function openPostern() {
  const data = await openDatabase(environment.DATABASE_URL);
  await data.migrate();
  const postern = createPostern({ issuer: ORIGIN + "/operators/", data, crypto: { secret: "0123456789abcdef0123456789abcdef" }, defaultTenantId: "main" });
  const callbacks = [environment.APP_URL + "admin/callback"];
  const settings = { name: "Console", token_endpoint_auth_method: "none" as const, callbacks };
  await postern.seed({ tenantId: "main", clients: [{ clientId: "console", settings }], user: { ...${JSON.stringify(testUser)}, managesTenant: true } });
  return postern;
}
`,
    "app/operators/[...postern]/route.ts": `import { toNextHandlers } from "@postern/next";
import { openPostern } from "../../../lib/operators";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextHandlers(openPostern, ${location});
`,
    "app/admin/[[...console]]/route.ts": fillIn(guide, {
      'import { openPostern } from "../../../lib/postern"': 'import { environment, openPostern } from "../../../lib/operators"',
      "process.env": "environment",
      "toNextHandlers(openConsole)": `toNextHandlers(openConsole, ${location})`,
    }),
  };
}
