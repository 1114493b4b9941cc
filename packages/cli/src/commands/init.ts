import type { CommandDef } from "citty";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { command, type CommandEnvironment } from "../command.ts";
import { askChoice, type Choice } from "../ask.ts";
import { configText } from "../templates/config.ts";
import { chooseConsole, mountSteps, operatorSteps, withConsole } from "./init-console.ts";
import { configPackages, databases, frameworks, type FrameworkName } from "../templates/frameworks.ts";
import { readManifest } from "../manifest.ts";
import { UsageError } from "../output.ts";
import { makeSecret, readVariable, writeVariable } from "../env-file.ts";

const args = {
  framework: { type: "string", description: `${Object.keys(frameworks).join(", ")}. Default: the framework in package.json` },
  database: { type: "string", description: `${Object.keys(databases).join(", ")}. Default: sqlite` },
  console: { type: "boolean", description: "Serve the admin console at /admin/. Not for Next.js. Default: false" },
  json: { type: "boolean", description: "Write the result as JSON" },
} as const;

/** Writes a config, `.env` and the files of a complete sign-in. At a terminal it asks for the missing options. */
export function initCommand(environment: CommandEnvironment): CommandDef {
  const { cwd, output } = environment;
  return command({
    meta: {
      name: "init",
      description:
        "Write a config, .env and a complete sign-in for your app: login, a protected page, a protected API, logout. Existing files are not changed",
    },
    args,
    run: async ({ args: { framework: named, database, console: serves } }) => {
      const name = await chooseOption(environment, named, {
        question: "Which framework?",
        labels: titlesOf(frameworks),
        defaultValue: () => frameworkOf(cwd),
      });
      const databaseName = await chooseOption(environment, database, {
        question: "Which database?",
        labels: titlesOf(databases),
        defaultValue: () => "sqlite",
      });
      const addition = await chooseConsole(environment, name, serves);
      const framework = frameworks[name];
      const { url, drivers } = databases[databaseName];
      const files = withConsole({ "postern.config.ts": configText(addition !== undefined), ...framework.files(cwd) }, framework, addition);
      const [written, unchanged]: [string[], string[]] = [[], []];
      for (const [path, text] of Object.entries(files)) {
        const file = join(cwd, path);
        if (existsSync(file)) unchanged.push(path);
        else {
          mkdirSync(dirname(file), { recursive: true });
          writeFileSync(file, text);
          written.push(path);
        }
      }
      const variables = {
        DATABASE_URL: url,
        POSTERN_SECRET: makeSecret(),
        APP_SECRET: makeSecret(),
        BACKEND_SECRET: makeSecret(),
      } as const;
      const missing = (["DATABASE_URL", "POSTERN_SECRET", "APP_SECRET", "BACKEND_SECRET"] as const).filter(
        (variable) => readVariable(cwd, variable) === undefined,
      );
      for (const variable of missing) writeVariable(cwd, variable, variables[variable]);
      if (missing.length > 0) written.push(".env");
      const steps = [
        ...moduleSteps(cwd),
        ...installSteps(cwd, "npm install", [
          ...configPackages,
          ...new Set([...framework.packages, ...(addition === undefined ? [] : ["@postern/app", "@postern/admin"])]),
          ...drivers,
        ]),
        ...installSteps(cwd, "npm install --save-dev", framework.types),
        ...mountSteps(cwd, framework, unchanged, addition),
        ...operatorSteps(cwd, unchanged, addition),
        "Add .env and data/ to .gitignore",
        framework.start,
        framework.open,
        ...(addition === undefined ? [] : ["Open the admin console at http://localhost:3000/admin/ with the same account"]),
        `Get a token for the Management API: ${getToken}`,
      ];
      const text = [
        ...written.map((path) => `wrote ${path}`),
        ...unchanged.map((path) => `left ${path} unchanged`),
        "",
        "Next:",
        ...steps.map((step, index) => `  ${index + 1}. ${step}`),
      ];
      output.result({ framework: name, database: databaseName, written, left: unchanged, next: steps }, text.join("\n"));
    },
  });
}

/** The command that gets a token with the client and the secret that `init` wrote, from the running app. */
const getToken =
  '(. ./.env && curl http://localhost:3000/auth/oauth/token -u "backend:$BACKEND_SECRET" -d grant_type=client_credentials -d audience=http://localhost:3000/auth/api/v2/)';

/** Returns the step that installs the packages that are missing in package.json. */
function installSteps(cwd: string, install: string, packages: readonly string[]): readonly string[] {
  const missing = packages.filter((name) => !(name in dependenciesOf(cwd)));
  return missing.length === 0 ? [] : [`${install} ${missing.join(" ")}`];
}

/**
 * Returns the value of a command-line option, or asks for it.
 * @throws {UsageError} if the value is not one of the choices.
 */
async function chooseOption<Value extends string>(
  environment: CommandEnvironment,
  named: string | undefined,
  choice: Choice<Value>,
): Promise<Value> {
  if (named === undefined) return askChoice(environment, choice);
  if (!isOneOf(choice.labels, named)) throw new UsageError(`'${named}' is not one of ${Object.keys(choice.labels).join(", ")}`);
  return named;
}

function titlesOf<Name extends string>(named: { readonly [N in Name]: { readonly title: string } }): { readonly [N in Name]: string } {
  const titles = Object.entries<{ readonly title: string }>(named).map(([name, { title }]) => [name, title]);
  // The names are the keys of the parameter.
  return Object.fromEntries(titles) as { readonly [N in Name]: string };
}

function frameworkOf(cwd: string): FrameworkName {
  const file = join(cwd, "package.json");
  if (!existsSync(file))
    throw new UsageError(`there is no package.json in ${cwd}: change to your app's folder, or create one with 'npm init'`);
  const known = dependenciesOf(cwd);
  return (["next", "hono", "express"] as const).find((name) => name in known) ?? "node";
}

/** Returns the dependencies in package.json with their versions. */
function dependenciesOf(cwd: string): { readonly [name: string]: string } {
  const file = join(cwd, "package.json");
  if (!existsSync(file)) return {};
  const { dependencies, devDependencies } = readManifest(file);
  return { ...dependencies, ...devDependencies };
}

/** Returns the step that makes Node.js load the written files as ES modules, if package.json does not declare it. */
function moduleSteps(cwd: string): readonly string[] {
  const file = join(cwd, "package.json");
  if (!existsSync(file) || readManifest(file).type === "module") return [];
  return ["npm pkg set type=module  # the files written here are ES modules, and package.json does not say so"];
}

function isOneOf<Value extends string>(labels: { readonly [V in Value]: string }, name: string): name is Value {
  return Object.hasOwn(labels, name);
}
