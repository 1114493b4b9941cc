import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");

/** The names that more than one file may export, with the files. */
const allowed: { readonly [name: string]: readonly string[] } = {
  // Public types: the session of an app, and a session in the Management API.
  Session: ["packages/app/src/session.ts", "packages/core/src/operations/in-process/api.ts"],
  // Public types of two packages that an app does not import together.
  SignInOptions: ["packages/app/src/session-options.ts", "packages/testing/src/sign-in.ts"],
  // The middleware of two frameworks.
  requireToken: ["packages/express/src/token.ts", "packages/hono/src/token.ts"],
  resourceMetadata: ["packages/express/src/token.ts", "packages/hono/src/token.ts"],
  // Each example is a separate program.
  app: ["examples/express/app.ts", "examples/hono/app.ts"],
  server: [
    "examples/custom-adapter/standalone.ts",
    "examples/express/server.ts",
    "examples/hono/server.ts",
    "examples/mcp/server.ts",
    "examples/own-pages/server.ts",
  ],
};

/** Returns the names that a file declares and exports. Overloads and a type with the name of a value count once. */
function declaredExports(file: string, text: string): readonly string[] {
  const names = ts.createSourceFile(file, text, ts.ScriptTarget.Latest).statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    if (!isExported) return [];
    if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name));
    return (ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement)) &&
      statement.name !== undefined
      ? [statement.name.text]
      : [];
  });
  return [...new Set(names)];
}

/** Returns the names that a variable declaration introduces, also by destructuring. */
function namesIn(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesIn(element.name) : []));
}

test("no two files export symbols with the same name", async () => {
  const folders = ["packages", "examples", "test", "scripts", "lint"];
  // `examples/next` and `examples/telemetry` are separate programs. Next.js prescribes the names of the first one's exports.
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...folders], {
    cwd: root,
    encoding: "utf8",
  });
  const files = listed.split("\n").filter((file) => /\.tsx?$/.test(file) && !/^examples\/(next|telemetry)\//.test(file));
  const exporters = new Map<string, string[]>();
  for (const file of files) {
    for (const name of declaredExports(file, await readFile(join(root, file), "utf8"))) {
      exporters.set(name, [...(exporters.get(name) ?? []), file]);
    }
  }
  expect(Object.fromEntries([...exporters].filter(([, places]) => places.length > 1))).toEqual(allowed);
});
