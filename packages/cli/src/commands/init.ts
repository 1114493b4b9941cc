import type { CommandDef } from "citty";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { command, type Place } from "../command.ts";
import { frameworks, type FrameworkName } from "../frameworks.ts";
import { UsageError } from "../output.ts";
import { makeSecret, readSecret, writeSecret } from "../env-file.ts";

const args = {
  framework: { type: "string", description: `${Object.keys(frameworks).join(", ")}. Default: the one that package.json names` },
  json: { type: "boolean", description: "Write the result as JSON" },
} as const;

/** What of a `package.json` counts here. */
const Manifest = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
});

/** Writes what an app needs to have Postern in it. */
export function initCommand({ cwd, output }: Place): CommandDef {
  return command({
    meta: {
      name: "init",
      description: "Write a config, a secret and the file that mounts Postern in your app. Nothing that is there is changed",
    },
    args,
    run: ({ args: { framework: named } }) => {
      const name = named ?? frameworkOf(cwd);
      if (!isFramework(name)) throw new UsageError(`'${name}' is none of ${Object.keys(frameworks).join(", ")}`);
      const { files, install, next } = frameworks[name];
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
      if (readSecret(cwd) === undefined) {
        writeSecret(cwd, makeSecret());
        written.push(".env");
      }
      const steps = [`npm install ${install.join(" ")}`, "npx postern migrate apply", ...next];
      const text = [
        ...written.map((path) => `wrote ${path}`),
        ...left.map((path) => `left ${path} as it is`),
        "",
        "Next:",
        ...steps.map((step, place) => `  ${place + 1}. ${step}`),
      ];
      output.result({ framework: name, written, left, next: steps }, text.join("\n"));
    },
  });
}

function frameworkOf(cwd: string): FrameworkName {
  const file = join(cwd, "package.json");
  if (!existsSync(file)) throw new UsageError(`there is no package.json in ${cwd}: go to your app's folder, or make one with 'npm init'`);
  const { dependencies, devDependencies } = Manifest.parse(JSON.parse(readFileSync(file, "utf8")));
  const known = { ...dependencies, ...devDependencies };
  return (["next", "hono", "express"] as const).find((name) => name in known) ?? "node";
}

function isFramework(name: string): name is FrameworkName {
  return Object.hasOwn(frameworks, name);
}
