import { readFileSync } from "node:fs";
import { join } from "node:path";
import { askChoice } from "../ask.ts";
import type { CommandEnvironment } from "../command.ts";
import { UsageError } from "../output.ts";
import { consoles, type ConsoleParts } from "../templates/console.ts";
import type { Framework, FrameworkName } from "../templates/frameworks.ts";

const configPath = "postern.config.ts";

/**
 * Returns what the admin console adds to an app; undefined without the console. At a terminal, asks if no option decides.
 * @throws {UsageError} if the console is requested for Next.js, for which no file is written.
 */
export async function chooseConsole(
  environment: CommandEnvironment,
  framework: FrameworkName,
  serves: boolean | undefined,
): Promise<ConsoleParts | undefined> {
  if (framework === "next") {
    if (serves === true) throw new UsageError("--console is not supported for Next.js: mount it as docs/admin-console.md describes");
    return undefined;
  }
  const answer =
    serves ??
    (await askChoice<"no" | "yes">(environment, {
      question: "Serve the admin console at /admin/?",
      labels: { no: "No", yes: "Yes: find users, see why they cannot sign in, change settings" },
      defaultValue: () => "no",
    })) === "yes";
  return answer ? consoles[framework] : undefined;
}

/** Adds the console to the files of an app. */
export function withConsole(
  files: { readonly [path: string]: string },
  { server }: Framework,
  addition: ConsoleParts | undefined,
): { readonly [path: string]: string } {
  const path = serverPath(server);
  const { [path]: text } = files;
  return addition === undefined || text === undefined ? files : { ...files, "admin.ts": addition.admin, [path]: addition.mount(text) };
}

/** Returns the steps that mount Postern and the console in an app with an existing server file that does not mount them. */
export function mountSteps(cwd: string, { server }: Framework, unchanged: readonly string[], addition?: ConsoleParts): readonly string[] {
  const path = serverPath(server);
  if (!unchanged.includes(path)) return [];
  const text = readFileSync(join(cwd, path), "utf8");
  return [
    ...(server === undefined || text.includes("posternHandler") ? [] : [server.mount]),
    ...(addition === undefined || text.includes("adminHandler") ? [] : [addition.step]),
  ];
}

/** Returns the step that lets the user of an existing config sign in to the console. */
export function operatorSteps(cwd: string, unchanged: readonly string[], addition?: ConsoleParts): readonly string[] {
  if (addition === undefined || !unchanged.includes(configPath)) return [];
  const text = readFileSync(join(cwd, configPath), "utf8");
  return /\buser: \{[^}]*\bmanagesTenant: true/.test(text)
    ? []
    : [`In ${configPath}: add managesTenant: true to the 'user' of the seed, so that the account may use the admin console`];
}

function serverPath(server: Framework["server"]): string {
  return server?.path ?? "postern.server.ts";
}
