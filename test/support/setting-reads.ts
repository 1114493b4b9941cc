import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";

const root = join(import.meta.dirname, "../../packages/core/src");

/** A source file and the members that its code reads. */
interface Source {
  /** Below `packages/core/src`. */
  readonly file: string;
  /** The names of all members that the code reads from objects. */
  readonly reads: ReadonlySet<string>;
  /** The files that it imports, below `packages/core/src`. */
  readonly imports: ReadonlySet<string>;
}

/** Reads the sources of `packages/core/src` without its tests. */
export function readSources(isRelevant: (file: string) => boolean): readonly Source[] {
  return globSync("**/*.{ts,tsx}", { cwd: root })
    .filter((file) => !/\.test\.tsx?$/.test(file) && isRelevant(file))
    .map((file) => parseSource(file, readFileSync(join(root, file), "utf8")));
}

/** Parses a source file. Declarations, types, comments and the members of object literals are not reads. */
export function parseSource(file: string, text: string): Source {
  const reads = new Set<string>();
  const imports = new Set<string>();
  const startLogin = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    const name = readName(node);
    if (name !== undefined) reads.add(name);
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier) && node.moduleSpecifier.text.startsWith(".")) {
      imports.add(normalize(join(dirname(file), node.moduleSpecifier.text)));
    }
    ts.forEachChild(node, startLogin);
  };
  startLogin(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return { file, reads, imports };
}

/** Returns the name of the member that a node reads: `a.name`, `a["name"]`, `{ name } = a` or `textIn(a, "name")`. */
function readName(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isElementAccessExpression(node)) return ts.isStringLiteral(node.argumentExpression) ? node.argumentExpression.text : undefined;
  if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
    const name = node.propertyName ?? node.name;
    return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : undefined;
  }
  if (ts.isStringLiteral(node) && ts.isCallExpression(node.parent) && node.parent.arguments.indexOf(node) > 0) return node.text;
  return undefined;
}

/**
 * Returns the files that read a setting. Such a file reads a member with the last name in the setting's path. Each
 * earlier name is read by the same file, by a file that imports it, or by a file that it imports.
 */
export function filesThatRead(path: readonly string[], sources: readonly Source[]): readonly string[] {
  const last = path.at(-1) ?? "";
  // Lifetimes are returned in hours and stored in minutes.
  const names = [last, `${last}_in_minutes`];
  return sources
    .filter((source) => names.some((name) => source.reads.has(name)))
    .filter((source) => {
      const near = sources.filter((other) => other === source || other.imports.has(source.file) || source.imports.has(other.file));
      return path.slice(0, -1).every((name) => near.some(({ reads }) => reads.has(name)));
    })
    .map(({ file }) => file);
}
