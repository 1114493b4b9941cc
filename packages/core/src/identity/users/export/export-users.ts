import type * as z from "zod";
import type { TenantData } from "../../../store/tenant-data.ts";
import { endOfTurn } from "../../../store/turn.ts";
import type { Scalar } from "../../../store/value.ts";
import type { userSchema } from "../../../model/users/users.ts";
import { presentUsers } from "../present-users.ts";

/** The number of users that one query reads. */
const page = 200;

/** The default fields in a CSV file. */
const defaultFields = [
  "user_id",
  "email",
  "email_verified",
  "name",
  "nickname",
  "given_name",
  "family_name",
  "phone_number",
  "username",
  "connection",
  "created_at",
  "last_login",
];

/** A field of a user, and its name in the exported file. */
interface ExportedField {
  readonly name: string;
  readonly export_as?: string;
}

/** Selects the users and the fields of an export. */
interface UserExport {
  readonly format: "json" | "csv";
  /** The name of a connection. Left out: all connections. */
  readonly connection?: string | undefined;
  readonly limit?: number | undefined;
  readonly fields?: readonly ExportedField[] | undefined;
}

/** Returns the text of an export in parts, so that memory use does not grow with the number of users. */
export function exportUsers(data: TenantData, options: UserExport): AsyncGenerator<string> {
  return options.format === "csv" ? csvLines(data, options) : jsonLines(data, options);
}

async function* jsonLines(data: TenantData, options: UserExport): AsyncGenerator<string> {
  for await (const users of pages(data, options)) {
    yield users.map((user) => `${JSON.stringify(options.fields === undefined ? user : selected(user, options.fields))}\n`).join("");
  }
}

async function* csvLines(data: TenantData, options: UserExport): AsyncGenerator<string> {
  const fields: readonly ExportedField[] = options.fields ?? defaultFields.map((name) => ({ name }));
  yield csvLine(fields.map(({ name, export_as: as = name }) => as));
  for await (const users of pages(data, options)) {
    yield users.map((user) => csvLine(fields.map(({ name }) => valueAt(user, name)))).join("");
  }
}

function selected(user: z.infer<typeof userSchema>, fields: readonly ExportedField[]): object {
  return Object.fromEntries(
    fields.map(({ name, export_as: as = name }) => [as, valueAt(user, name)]).filter(([, value]) => value !== undefined),
  );
}

/** Reads a member of a user by its path, such as `user_metadata.plan` or `identities[0].connection`. */
function valueAt(user: z.infer<typeof userSchema>, name: string): unknown {
  let value: unknown = user;
  for (const key of name.split(/[.[\]]+/).filter((part) => part !== "")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as { readonly [name: string]: unknown })[key];
  }
  return value;
}

/**
 * Formats a CSV line (RFC 4180). Adds an apostrophe before a value that a spreadsheet would treat as a formula.
 * Spreadsheets do not display the apostrophe.
 */
function csvLine(values: readonly unknown[]): string {
  const cells = values.map((value) => {
    const text = value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
    const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  });
  return `${cells.join(",")}\r\n`;
}

/** Reads the primary users page by page, in the order of their creation. */
async function* pages(
  data: TenantData,
  { connection, limit = Infinity }: UserExport,
): AsyncGenerator<readonly z.infer<typeof userSchema>[]> {
  let after: readonly Scalar[] | undefined;
  for (let left = limit; left > 0;) {
    const size = Math.min(page, left);
    const rows = await data.users.find({
      where: { linked_to: "" },
      ...(connection !== undefined && { filter: { field: "connection", op: "eq", value: connection } }),
      orderBy: { fields: ["created_at", "user_id"], direction: "asc" },
      limit: size,
      ...(after && { after }),
    });
    if (rows.length > 0) yield await presentUsers(data, rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
    after = [last.created_at, last.user_id];
    left -= rows.length;
    await endOfTurn();
  }
}
