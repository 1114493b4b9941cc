/** How a plan reads one table. */
export interface Access {
  readonly table: string;
  /** The index, or undefined if the whole table is read. */
  readonly index: string | undefined;
  /** The columns whose conditions bound the entries that are read in the index. */
  readonly bounds: readonly string[];
}

/** The parts of a query plan that the suite checks. */
export interface Plan {
  readonly accesses: readonly Access[];
  /** Whether rows are sorted. */
  readonly sorts: boolean;
  /** The planner's estimate of the rows that it reads, if the database reports it. */
  readonly rows: number | undefined;
  /** The plan as the database prints it. */
  readonly text: string;
}

type Json = { readonly [name: string]: unknown };

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads the rows of SQLite's `explain query plan`. */
export function readSqlitePlan(details: readonly string[]): Plan {
  const accesses = details.flatMap((detail): Access[] => {
    const match = /^(?:SEARCH|SCAN) (postern_\w+)(?: USING (?:COVERING )?(?:INDEX (\w+)|(PRIMARY KEY)))?(?: \((.*)\))?/.exec(detail);
    if (match?.[1] === undefined) return [];
    const [, table, name, primary, conditions = ""] = match;
    const index = name ?? primary;
    return [{ table, index, bounds: [...conditions.matchAll(/([a-z_]+)\s*[=<>]/g)].map(([, column]) => column ?? "") }];
  });
  return { accesses, sorts: details.some((detail) => detail.includes("TEMP B-TREE")), rows: undefined, text: details.join("\n") };
}

/** Reads PostgreSQL's `explain (format json)`. */
export function readPostgresPlan(root: Json): Plan {
  const accesses: Access[] = [];
  let sorts = false;
  let rows = 0;
  const visit = (node: Json, table: string | undefined): void => {
    const type = String(node["Node Type"]);
    const relation = typeof node["Relation Name"] === "string" ? node["Relation Name"] : table;
    const index = typeof node["Index Name"] === "string" ? node["Index Name"] : undefined;
    // An incremental sort sorts the rows of one value at a time, and stops when the page is full.
    if (type === "Sort") sorts = true;
    if (index !== undefined) {
      const condition = String(node["Index Cond"] ?? "").replaceAll(/'(?:[^']|'')*'/g, "");
      const bounds = [...new Set([...condition.matchAll(/\b[a-z_]+\b/g)].map(([name]) => name))].filter((name) => !words.has(name));
      accesses.push({ table: relation ?? "", index, bounds });
      rows += Number(node["Plan Rows"]);
    } else if (type === "Seq Scan" && relation !== undefined) {
      accesses.push({ table: relation, index: undefined, bounds: [] });
      rows += Number(node["Plan Rows"]);
    }
    for (const child of Array.isArray(node["Plans"]) ? node["Plans"] : []) if (isJson(child)) visit(child, relation);
  };
  visit(root, undefined);
  return { accesses, sorts, rows, text: outline(root, 0) };
}

/** Words in index conditions that are not columns. */
const words = new Set([
  "text",
  "bigint",
  "row",
  "and",
  "or",
  "is",
  "null",
  "not",
  "any",
  "true",
  "false",
  "character",
  "varying",
  "integer",
  "double",
  "precision",
]);

function outline(node: Json, depth: number): string {
  const parts = ["Node Type", "Index Name", "Relation Name", "Index Cond", "Recheck Cond", "Filter", "Sort Key", "Plan Rows", "Total Cost"];
  const line =
    "  ".repeat(depth) + parts.flatMap((name) => (node[name] === undefined ? [] : [`${name}: ${String(node[name])}`])).join("; ");
  const children = (Array.isArray(node["Plans"]) ? node["Plans"] : []).filter(isJson);
  return [line, ...children.map((child) => outline(child, depth + 1))].join("\n");
}

/** Reads MariaDB's `explain format=json`. */
export function readMysqlPlan(root: Json): Plan {
  const accesses: Access[] = [];
  let sorts = false;
  let rows = 0;
  const visit = (value: unknown, name: string): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, name);
    if (!isJson(value)) return;
    if (name === "filesort" || name === "temporary_table") sorts = true;
    if (name === "table" && typeof value["table_name"] === "string" && value["table_name"].startsWith("postern_")) {
      const merged = value["index_merge"];
      const indexes = isJson(merged)
        ? Object.values(merged)
            .flat()
            .flatMap((part) => (isJson(part) ? [part["range"]] : []))
            .filter(isJson)
        : [value];
      for (const { key, used_key_parts: parts } of indexes) {
        accesses.push({
          table: value["table_name"],
          index: typeof key === "string" && value["access_type"] !== "ALL" ? key : undefined,
          bounds: value["access_type"] === "index" || !Array.isArray(parts) ? [] : parts.map(String),
        });
      }
      rows += Number(value["rows"] ?? 0);
    }
    for (const [inner, child] of Object.entries(value)) visit(child, inner);
  };
  visit(root, "");
  return { accesses, sorts, rows, text: JSON.stringify(root) };
}
