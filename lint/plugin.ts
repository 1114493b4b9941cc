import { isBuiltin } from "node:module";
import { dirname, relative, resolve, sep } from "node:path";
import { definePlugin, defineRule, type Context, type ESTree, type Visitor } from "@oxlint/plugins";
import { floors, unscoped } from "./floors.ts";

const packages = resolve(import.meta.dirname, "../packages");
const coreSource = resolve(packages, "core/src");

const under = (folder: string, file: string) => relative(folder, file).split(sep).join("/");
const floorOf = (file: string) => file.split("/", 1)[0] ?? file;

/** Calls `check` for each module specifier: imports, type imports, re-exports, `import()` and `import("x").T`. */
const eachImport = (check: (source: ESTree.StringLiteral) => void): Visitor => ({
  ImportDeclaration: (node) => check(node.source),
  ExportAllDeclaration: (node) => check(node.source),
  ExportNamedDeclaration: (node) => node.source && check(node.source),
  TSImportType: (node) => check(node.source),
  ImportExpression: ({ source }) => source.type === "Literal" && typeof source.value === "string" && check(source),
});

/** Returns the reason why `from` (a path inside core's source) may not import `specifier`, or undefined if it may. */
const importFault = (from: string, specifier: string): string | undefined => {
  if (isBuiltin(specifier)) return `core runs on every runtime: load ${specifier} with process.getBuiltinModule, and provide a fallback`;
  if (specifier.startsWith("@postern/")) return `core must not import another workspace package: remove the import of ${specifier}`;
  if (!specifier.startsWith(".")) return undefined;
  const target = under(coreSource, resolve(coreSource, dirname(from), specifier));
  if (target.startsWith("..")) return `${specifier} is outside the package's source`;
  const [own, other] = [floorOf(from), floorOf(target)];
  if (unscoped.file.test(target) && !unscoped.importers.includes(own))
    return `${target} reads across tenants: only ${unscoped.importers.join(", ")} may import it`;
  if (own === other || floors[own]?.imports.includes(other)) return undefined;
  return floors[own] ? `${own} may not import ${other}: see lint/floors.ts` : `${own} is missing in lint/floors.ts: add it there`;
};

const floorsRule = defineRule({
  meta: { type: "problem" },
  create(context: Context) {
    const from = under(coreSource, context.filename);
    return eachImport((source) => {
      const message = importFault(from, source.value);
      if (message) context.report({ node: source, message });
    });
  },
});

const clock: Record<string, readonly string[]> = { Date: ["now"], Math: ["random"], performance: ["now"] };
const clockMessage = "take time and randomness from the context, so that a test can set them";

const clockRule = defineRule({
  meta: { type: "problem" },
  create(context: Context) {
    const isDate = (node: ESTree.Expression) => node.type === "Identifier" && node.name === "Date";
    const report = (node: ESTree.Node) => context.report({ node, message: clockMessage });
    return {
      NewExpression: (node) => isDate(node.callee) && node.arguments.length === 0 && report(node),
      CallExpression: (node) => isDate(node.callee) && report(node),
      MemberExpression: (node) => {
        if (node.object.type !== "Identifier" || node.property.type !== "Identifier") return;
        if (clock[node.object.name]?.includes(node.property.name)) report(node);
      },
    };
  },
});

/** Rejects barrel files. A package has only one `index.ts`, its public entry. */
const barrelRule = defineRule({
  meta: { type: "problem" },
  create: (context: Context) => ({
    Program(node) {
      const [, folder, ...rest] = under(packages, context.filename).split("/");
      const last = rest.at(-1) ?? "";
      if (folder === "src" && rest.length > 1 && /^index\.tsx?$/.test(last)) {
        context.report({ node, message: "no barrel files: import from the file that defines the thing" });
      }
    },
  }),
});

export default definePlugin({
  meta: { name: "postern" },
  rules: { floors: floorsRule, clock: clockRule, "no-barrel": barrelRule },
});
