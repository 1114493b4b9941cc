import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { createFormBrowser } from "../../standalone/form-browser.ts";
import { examples } from "../../support/guides.ts";
import { freePort } from "../../support/free-port.ts";
import { runCommands, startCommand, type StartedCommand, type Variables } from "./commands.ts";

/** The app of docs/first-app.md, as it was written into a folder, with an empty database. */
export interface GuideApp {
  readonly folder: string;
  /** The URL of the app, with a final slash. */
  readonly url: string;
  readonly issuer: string;
  /** Runs commands of a guide. The port differs from the guide, because other test files run at the same time. */
  run(commands: string, variables?: Variables): Promise<string>;
  /** Runs a TypeScript example of a guide in a separate process. */
  runCode(code: string, variables?: Variables): Promise<void>;
  /** Starts the app, and waits until it responds. */
  start(command: string, variables?: Variables): Promise<StartedCommand>;
  openBrowser(user: { readonly email: string; readonly password: string }): ReturnType<typeof createFormBrowser>;
  /** Requests a token for the Management API with the commands of docs/management-token.md. */
  token(): Promise<string>;
}

/** Opens the app in a folder. Deletes the database of an earlier test. */
export async function openGuideApp(folder: string): Promise<GuideApp> {
  rmSync(join(folder, "data"), { recursive: true, force: true });
  const port = await freePort();
  const url = `http://localhost:${port}/`;
  const issuer = `${url}auth/`;
  const ownVariables = { PORT: String(port), NEXT_TELEMETRY_DISABLED: "1" };
  const run: GuideApp["run"] = (commands, variables) =>
    runCommands(folder, commands.replaceAll("http://localhost:3000/", url), { ...ownVariables, ...variables });
  return {
    folder,
    url,
    issuer,
    run,
    async runCode(code, variables) {
      const lines = [
        'import { openPostern } from "./postern.config.ts";',
        "const postern = await openPostern();",
        'const { CLIENT_ID: clientId = "" } = process.env;',
        code,
        "await postern.close();",
      ];
      writeFileSync(join(folder, "example.ts"), lines.join("\n"));
      await run("node --env-file=.env example.ts", variables);
    },
    async start(command, variables) {
      const app = startCommand(folder, command, { ...ownVariables, ...variables });
      const ended = app.code.then((code) => Promise.reject(new Error(`the app ended with ${code}: ${app.output()}`)));
      const responds = () => fetch(url).then(() => true, String);
      await Promise.race([expect.poll(responds, { timeout: 120_000 }).toBe(true), ended]);
      return app;
    },
    openBrowser: (user) => createFormBrowser({ issuer: url, url, user }),
    async token() {
      const [request = ""] = examples("management-token", "Request the token", "sh");
      return (await run(`. ./.env\n${request}\necho "$TOKEN"`, { ISSUER: issuer })).trim();
    },
  };
}
