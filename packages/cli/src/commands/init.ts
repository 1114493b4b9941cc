import type { CommandDef } from "citty";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { command, type Place } from "../command.ts";
import { ask, type Choice } from "../ask.ts";
import { configOn, databases, frameworks, type FrameworkName } from "../frameworks.ts";
import { readManifest } from "../manifest.ts";
import { UsageError } from "../output.ts";
import { makeSecret, readSecret, writeSecret } from "../env-file.ts";

const args = {
  framework: { type: "string", description: `${Object.keys(frameworks).join(", ")}. Default: the one that package.json names` },
  database: { type: "string", description: `${Object.keys(databases).join(", ")}. Default: sqlite` },
  json: { type: "boolean", description: "Write the result as JSON" },
} as const;

/** Writes what an app needs to have Postern in it. At a terminal it asks for what was not said. */
export function initCommand(place: Place): CommandDef {
  const { cwd, output } = place;
  return command({
    meta: {
      name: "init",
      description: "Write a config, a secret and the file that mounts Postern in your app. Nothing that is there is changed",
    },
    args,
    run: async ({ args: { framework, database } }) => {
      const name = await chosen(place, framework, {
        question: "Which framework?",
        among: titlesOf(frameworks),
        usual: () => frameworkOf(cwd),
      });
      const on = await chosen(place, database, { question: "Which database?", among: titlesOf(databases), usual: () => "sqlite" });
      const { glue, next } = frameworks[name];
      const files = { "postern.config.ts": configOn(on), ...frameworks[name].files };
      const [written, left]: [string[], string[]] = [[], []];
      for (const [path, text] of Object.entries(files)) {
        const file = join(cwd, path);
        if (existsSync(file)) left.push(path);
        else {
          mkdirSync(dirname(file), { recursive: true });
          writeFileSync(file, text);
          written.push(path);
        }
      }
      const missing = (["POSTERN_SECRET", "APP_SECRET"] as const).filter((secret) => readSecret(cwd, secret) === undefined);
      for (const secret of missing) writeSecret(cwd, makeSecret(), secret);
      if (missing.length > 0) written.push(".env");
      const steps = [
        ...asModules(cwd),
        `npm install @postern/core @postern/kysely ${databases[on].driver} ${glue}`,
        "npx postern migrate apply",
        ...next,
        signIn,
      ];
      const text = [
        ...written.map((path) => `wrote ${path}`),
        ...left.map((path) => `left ${path} as it is`),
        "",
        "Next:",
        ...steps.map((step, place) => `  ${place + 1}. ${step}`),
      ];
      output.result({ framework: name, database: on, written, left, next: steps }, text.join("\n"));
    },
  });
}

/** What is there is a provider; that the app's own pages know who is signed in is one page more. */
const signIn = "Sign people in to your app: docs/app-session.md, with the client 'app' and the APP_SECRET that are written here";

/** What was named on the command line, else what is asked for. @throws {UsageError} for a name that is none of the choice. */
async function chosen<Value extends string>(place: Place, named: string | undefined, choice: Choice<Value>): Promise<Value> {
  if (named === undefined) return ask(place, choice);
  if (!isOneOf(choice.among, named)) throw new UsageError(`'${named}' is none of ${Object.keys(choice.among).join(", ")}`);
  return named;
}

function titlesOf<Name extends string>(named: { readonly [N in Name]: { readonly title: string } }): { readonly [N in Name]: string } {
  const titles = Object.entries<{ readonly title: string }>(named).map(([name, { title }]) => [name, title]);
  // The names of what was given.
  return Object.fromEntries(titles) as { readonly [N in Name]: string };
}

function frameworkOf(cwd: string): FrameworkName {
  const file = join(cwd, "package.json");
  if (!existsSync(file)) throw new UsageError(`there is no package.json in ${cwd}: go to your app's folder, or make one with 'npm init'`);
  const { dependencies, devDependencies } = readManifest(file);
  const known = { ...dependencies, ...devDependencies };
  return (["next", "hono", "express"] as const).find((name) => name in known) ?? "node";
}

/** The step that has Node read what was written as it is meant. A folder without `package.json` has no type that could be wrong. */
function asModules(cwd: string): readonly string[] {
  const file = join(cwd, "package.json");
  if (!existsSync(file) || readManifest(file).type === "module") return [];
  return ["npm pkg set type=module  # the files written here are ES modules, and package.json does not say so"];
}

function isOneOf<Value extends string>(among: { readonly [V in Value]: string }, name: string): name is Value {
  return Object.hasOwn(among, name);
}
