import type { CommandDef } from "citty";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { command, type Place } from "../command.ts";
import { ask, type Choice } from "../ask.ts";
import { configText } from "../templates/config.ts";
import { configPackages, databases, frameworks, type Framework, type FrameworkName } from "../templates/frameworks.ts";
import { readManifest } from "../manifest.ts";
import { UsageError } from "../output.ts";
import { makeSecret, readVariable, writeVariable } from "../env-file.ts";

const args = {
  framework: { type: "string", description: `${Object.keys(frameworks).join(", ")}. Default: the one that package.json names` },
  database: { type: "string", description: `${Object.keys(databases).join(", ")}. Default: sqlite` },
  json: { type: "boolean", description: "Write the result as JSON" },
} as const;

/** Writes a config, `.env` and the files of a whole sign-in. At a terminal it asks for the options that are not given. */
export function initCommand(place: Place): CommandDef {
  const { cwd, output } = place;
  return command({
    meta: {
      name: "init",
      description:
        "Write a config, .env and a whole sign-in for your app: login, a protected page, a protected API, logout. Existing files are not changed",
    },
    args,
    run: async ({ args: { framework: named, database } }) => {
      const name = await chosen(place, named, {
        question: "Which framework?",
        among: titlesOf(frameworks),
        usual: () => frameworkOf(cwd),
      });
      const on = await chosen(place, database, { question: "Which database?", among: titlesOf(databases), usual: () => "sqlite" });
      const framework = frameworks[name];
      const { url, drivers } = databases[on];
      const files = { "postern.config.ts": configText, ...framework.files(cwd) };
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
      const variables = {
        APP_URL: "http://localhost:3000/",
        DATABASE_URL: url,
        POSTERN_SECRET: makeSecret(),
        APP_SECRET: makeSecret(),
      } as const;
      const missing = (["APP_URL", "DATABASE_URL", "POSTERN_SECRET", "APP_SECRET"] as const).filter(
        (variable) => readVariable(cwd, variable) === undefined,
      );
      for (const variable of missing) writeVariable(cwd, variable, variables[variable]);
      if (missing.length > 0) written.push(".env");
      const steps = [
        ...asModules(cwd),
        ...installOf(cwd, [...configPackages, ...framework.packages, ...drivers]),
        ...mountOf(cwd, framework, left),
        "Add .env and data/ to .gitignore",
        framework.start,
        framework.open,
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

/** Returns the step that installs the packages that package.json does not name yet. */
function installOf(cwd: string, packages: readonly string[]): readonly string[] {
  const missing = packages.filter((name) => !(name in dependenciesOf(cwd)));
  return missing.length === 0 ? [] : [`npm install ${missing.join(" ")}`];
}

/** Returns the step that mounts Postern in an app that has its own server file, unless that file mounts it already. */
function mountOf(cwd: string, { server }: Framework, left: readonly string[]): readonly string[] {
  if (server === undefined || !left.includes(server.path)) return [];
  return readFileSync(join(cwd, server.path), "utf8").includes("posternHandler") ? [] : [server.mount];
}

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
  const known = dependenciesOf(cwd);
  return (["next", "hono", "express"] as const).find((name) => name in known) ?? "node";
}

/** Returns the packages that package.json names, with their versions. */
function dependenciesOf(cwd: string): { readonly [name: string]: string } {
  const file = join(cwd, "package.json");
  if (!existsSync(file)) return {};
  const { dependencies, devDependencies } = readManifest(file);
  return { ...dependencies, ...devDependencies };
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
