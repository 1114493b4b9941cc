import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";

/** Runs the examples of the guides in `docs/` as they are printed. */

const root = join(import.meta.dirname, "../..");
const textOf = (guide: string): string => readFileSync(join(root, "docs", `${guide}.md`), "utf8");

/** A code block of a guide. */
interface GuideBlock {
  readonly language: string;
  /** The heading above the block, without the number of a step. */
  readonly heading: string;
  readonly code: string;
}

/** Returns the code blocks of a guide, in order. Lines of a block in a list are not indented. @param guide a name without `.md`. */
export function blocksOf(guide: string): readonly GuideBlock[] {
  return textOf(guide)
    .split(/^##+ /m)
    .flatMap((section, index) => {
      const heading = index === 0 ? "" : (section.split("\n", 1)[0] ?? "").replace(/^\d+\. /, "");
      return [...section.matchAll(/^( *)```(\w+)[^\n]*\n(.*?)^ *```$/gms)].map(([, indent = "", language = "", code = ""]) => ({
        language,
        heading,
        code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
      }));
    });
}

/**
 * Returns the code of the blocks of a language below a heading. @throws {Error} if no block is found, so that a renamed
 * heading fails the test.
 */
export function examples(guide: string, heading: string, language: "ts" | "sh" | "js" | "json"): readonly string[] {
  const found = blocksOf(guide).filter((block) => block.heading === heading && block.language === language);
  if (found.length === 0) throw new Error(`docs/${guide}.md has no '${language}' block below '${heading}'`);
  return found.map(({ code }) => code);
}

/** Returns the group of a pattern in the text of a guide. Line breaks of the text match as spaces. @throws {Error} if nothing matches. */
export function printedText(guide: string, pattern: RegExp): string {
  const [, found] = pattern.exec(textOf(guide).replaceAll(/\s+/g, " ")) ?? [];
  if (found === undefined) throw new Error(`docs/${guide}.md has no text like ${pattern}`);
  return found;
}

/** Replaces the placeholders of an example. @throws {Error} if the example lacks one. */
export function fillIn(code: string, values: { readonly [placeholder: string]: string }): string {
  return Object.entries(values).reduce((text, [placeholder, value]) => {
    if (!text.includes(placeholder)) throw new Error(`the example has no '${placeholder}': ${text}`);
    return text.replace(placeholder, () => value);
  }, code);
}

/** A command of a guide with the response that a comment below it shows. */
export interface GuideCommand {
  readonly command: string;
  /** The JSON of the response, in which `…` stands for any text. Empty if the guide shows no response. */
  readonly response: string;
}

/** Returns the commands below a heading, in order. Commands of a block between which no response is shown are one command. */
export function commandsOf(guide: string, heading: string): readonly GuideCommand[] {
  return examples(guide, heading, "sh").flatMap((code) =>
    [...code.matchAll(/((?:^(?!# ).*\n)+)(?:^# (?:\d+ )?(.*)\n)?/gm)].map(([, command = "", response = ""]) => ({ command, response })),
  );
}

/** Returns one of the commands below a heading. @throws {Error} if the guide has no such command. */
export function commandOf(guide: string, heading: string, index = 0): GuideCommand {
  const found = commandsOf(guide, heading)[index];
  if (found === undefined) throw new Error(`docs/${guide}.md has no command ${index} below '${heading}'`);
  return found;
}

type Modules = { readonly [specifier: string]: object };

/**
 * Runs a TypeScript block.
 * @param names the variables that the block uses without declaring them.
 * @param modules the modules that the block imports.
 * @returns the variables that the block declares at its top level, by their names.
 */
export async function runTypeScript(
  code: string,
  names: { readonly [name: string]: unknown },
  modules: Modules = {},
): Promise<{ readonly [name: string]: unknown }> {
  const { code: script } = await transform(code, { loader: "ts", format: "esm", target: "es2022" });
  const body = script
    .replaceAll(/^import (\{[^}]*\}|\w+) from "([^"]+)";$/gm, (_, imported: string, from: string) => {
      if (modules[from] === undefined) throw new Error(`the block imports the module '${from}', which the test does not pass`);
      const bound = imported.startsWith("{") ? imported.replaceAll(" as ", ": ") : `{ default: ${imported} }`;
      return `const ${bound} = modules[${JSON.stringify(from)}];`;
    })
    .replaceAll(/^export \{[^}]*\};$/gm, "");
  const declared = [...body.matchAll(/^(?:const|let|async function\*?|function\*?) (\w+)/gm)].map(([, name = ""]) => name);
  const AsyncFunction = (async () => {}).constructor as new (
    ...code: readonly string[]
  ) => (...values: readonly unknown[]) => Promise<object>;
  const run = new AsyncFunction("modules", ...Object.keys(names), `${body}\nreturn { ${declared.join(", ")} };`);
  return { ...(await run(modules, ...Object.values(names))) };
}

/** Runs a shell block with these variables. The first command that fails rejects. @returns what it prints. */
export async function runShell(code: string, variables: { readonly [name: string]: string }): Promise<string> {
  const { PATH = "" } = process.env;
  const { stdout } = await promisify(execFile)("bash", ["-eo", "pipefail", "-c", code], { env: { PATH, ...variables } });
  return stdout;
}
