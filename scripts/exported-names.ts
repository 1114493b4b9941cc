import { createRequire } from "node:module";
import { join } from "node:path";
import ts from "typescript";

const require = createRequire(import.meta.url);

/** The names that one entry of a package exports, each sorted. */
interface ExportedNames {
  /** Names that exist at run time, classes included. */
  readonly values: readonly string[];
  /** Names of types only. */
  readonly types: readonly string[];
}

/** The exported names of each entry, by its import specifier (`@postern/kysely/d1`). */
export interface ExportSnapshot {
  readonly [entry: string]: ExportedNames;
}

/** The part of a package.json that names the entries. */
export interface EntryManifest {
  readonly name: string;
  readonly exports: { readonly [entry: string]: string | { readonly types: string } };
}

/** Reads the exported names of every entry of a built package. Skips entries without types, such as package.json. */
export function exportedNames(folder: string, { name, exports }: EntryManifest): ExportSnapshot {
  const entries = Object.entries(exports).flatMap(([path, target]) =>
    typeof target === "string" ? [] : [{ specifier: join(name, path), file: join(folder, target.types) }],
  );
  const program = ts.createProgram({
    rootNames: entries.map(({ file }) => file),
    options: { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, skipLibCheck: true, types: [] },
  });
  const checker = program.getTypeChecker();
  return Object.fromEntries(
    entries.map(({ specifier, file }) => {
      const source = program.getSourceFile(file);
      const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
      if (module === undefined) throw new Error(`${specifier}: ${file} is missing or exports nothing`);
      // Loads the entry with `require`, which must work as well: it rejects a module with a top-level await.
      const values = Object.keys(require(specifier) as object).toSorted();
      const declared = checker.getExportsOfModule(module).map((symbol) => symbol.name);
      return [specifier, { values, types: declared.filter((exported) => !values.includes(exported)).toSorted() }];
    }),
  );
}

/** Describes each name that only one of two snapshots has. */
export function compareSnapshots(before: ExportSnapshot, now: ExportSnapshot): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((entry) =>
    (["values", "types"] as const).flatMap((kind) => {
      const [old, current] = [before[entry]?.[kind] ?? [], now[entry]?.[kind] ?? []];
      const noun = kind === "values" ? "value" : "type";
      return [
        ...old.filter((name) => !current.includes(name)).map((name) => `${entry}: no longer exports the ${noun} ${name}`),
        ...current.filter((name) => !old.includes(name)).map((name) => `${entry}: now exports the ${noun} ${name}`),
      ];
    }),
  );
}

/** Describes each name that two entries of the same package export. */
export function findDuplicates(entries: ExportSnapshot): string[] {
  const first = new Map<string, string>();
  return Object.entries(entries).flatMap(([entry, { values, types }]) =>
    [...values, ...types].flatMap((name) => {
      const other = first.get(name);
      if (other === undefined) first.set(name, entry);
      return other === undefined ? [] : [`${entry} exports ${name}, which ${other} exports as well`];
    }),
  );
}
