/**
 * Prints the SQL that creates the tables of the descriptions: `node scripts/print-sql.ts sqlite [collection …]`.
 *
 * The output is only a draft for a new migration. The committed files under src/migrations are authoritative, and a
 * test compares them with the descriptions.
 */
import type { CollectionDescription, Field } from "../../core/src/store/description.ts";
// These modules are imported by path, because Node cannot read the pages in the package without a build.
import { schema, storedFields, storedIndexes, storedKey, storedUnique } from "../../core/src/store/schema.ts";
import { tableName } from "../src/names.ts";

type Target = "sqlite" | "postgres" | "mysql";

function columnType(target: Target, field: Field): string {
  if (target === "sqlite") return field.type === "integer" || field.type === "instant" || field.type === "boolean" ? "integer" : "text";
  switch (field.type) {
    case "string":
      // MySQL stores bytes: MySQL and MariaDB have no common collation for text that is binary and does not pad. A
      // character has up to four bytes.
      return target === "mysql" ? `varbinary(${field.ascii ? field.length : field.length * 4})` : `varchar(${field.length}) collate "C"`;
    case "integer":
    case "instant":
      return "bigint";
    case "boolean":
      return target === "mysql" ? "tinyint(1)" : "boolean";
    default:
      return target === "mysql" ? "longtext" : `text collate "C"`;
  }
}

/**
 * Whether rows are little larger than their key. Such rows are stored in the B-tree of the key; wide rows would make
 * that tree deep.
 */
function isNarrow(description: CollectionDescription): boolean {
  return Object.values(description.fields).every(({ type }) => type !== "text" && type !== "object" && type !== "strings");
}

function print(target: Target, description: CollectionDescription): string {
  const table = tableName(description);
  const fields = storedFields(description);
  const lines = Object.entries(fields).map(([name, field]) => `${name} ${columnType(target, field)}${field.nullable ? "" : " not null"}`);
  lines.push(`primary key (${storedKey(description).join(", ")})`);
  const after: string[] = [];
  const index = (kind: "unique" | "by" | "across", declared: readonly string[], columns: readonly string[]): void => {
    const name = `${table}_${kind}_${declared.join("_")}`;
    if (name.length > 63) throw new Error(`${name} is longer than the 63 characters that PostgreSQL keeps`);
    const keyword = kind === "unique" ? "unique index" : "index";
    if (target === "mysql") lines.push(`${keyword} ${name} (${columns.join(", ")})`);
    else after.push(`create ${keyword} ${name} on ${table} (${columns.join(", ")});`);
  };
  storedUnique(description).forEach((columns, i) => index("unique", description.unique[i] ?? columns, columns));
  storedIndexes(description).forEach((columns, i) => {
    const declared = [...description.indexes, ...(description.counted ?? [])][i];
    // Indexes after the declared ones do not start with the tenant.
    if (declared === undefined) index("across", columns, columns);
    else index("by", declared, columns);
  });
  const options =
    target === "sqlite"
      ? isNarrow(description)
        ? " strict, without rowid"
        : " strict"
      : target === "mysql"
        ? " engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic"
        : "";
  const create = target === "mysql" ? "create table if not exists" : "create table";
  return [`-- ${description.about}`, `${create} ${table} (`, `  ${lines.join(",\n  ")}`, `)${options};`, ...after].join("\n");
}

const [target, ...names] = process.argv.slice(2);
if (target !== "sqlite" && target !== "postgres" && target !== "mysql")
  throw new Error("usage: print-sql.ts sqlite|postgres|mysql [collection …]");
const chosen = Object.values(schema).filter(({ name }) => names.length === 0 || names.includes(name));
process.stdout.write(`${chosen.map((description) => print(target, description)).join("\n\n")}\n`);
