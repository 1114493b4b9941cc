import type { TenantData } from "../../../store/tenant-data.ts";
import { endOfTurn } from "../../../store/turn.ts";
import type { Scalar } from "../../../store/value.ts";
import type { User } from "../../../model/users/users.ts";
import { presentUsers } from "../present-users.ts";

/** Users that are read at a time. */
const page = 200;

/** The fields of a CSV file where nobody says which. */
const usual = [
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

/** A field of a user, and what it is called in the file. */
interface ExportedField {
  readonly name: string;
  readonly export_as?: string;
}

/** Which users are exported, and what of them. */
export interface UserExport {
  readonly format: "json" | "csv";
  /** The connection that they are users of, by its name. Left out: any. */
  readonly connection?: string | undefined;
  readonly limit?: number | undefined;
  readonly fields?: readonly ExportedField[] | undefined;
}

/** The text of an export, a part at a time: what is in memory does not grow with the number of users. */
export function exportUsers(data: TenantData, asked: UserExport): AsyncGenerator<string> {
  return asked.format === "csv" ? csvLines(data, asked) : jsonLines(data, asked);
}

async function* jsonLines(data: TenantData, asked: UserExport): AsyncGenerator<string> {
  for await (const users of pages(data, asked)) {
    yield users.map((user) => `${JSON.stringify(asked.fields === undefined ? user : selected(user, asked.fields))}\n`).join("");
  }
}

async function* csvLines(data: TenantData, asked: UserExport): AsyncGenerator<string> {
  const fields: readonly ExportedField[] = asked.fields ?? usual.map((name) => ({ name }));
  yield csvLine(fields.map(({ name, export_as: as = name }) => as));
  for await (const users of pages(data, asked)) {
    yield users.map((user) => csvLine(fields.map(({ name }) => valueAt(user, name)))).join("");
  }
}

function selected(user: User, fields: readonly ExportedField[]): object {
  return Object.fromEntries(
    fields.map(({ name, export_as: as = name }) => [as, valueAt(user, name)]).filter(([, value]) => value !== undefined),
  );
}

/** A member of a user by its name, which may lead into another: `user_metadata.plan`, `identities[0].connection`. */
function valueAt(user: User, name: string): unknown {
  let value: unknown = user;
  for (const key of name.split(/[.[\]]+/).filter((part) => part !== "")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as { readonly [name: string]: unknown })[key];
  }
  return value;
}

/** RFC 4180. What a spreadsheet would take for a formula has an apostrophe before it, which it does not show. */
function csvLine(values: readonly unknown[]): string {
  const cells = values.map((value) => {
    const text = value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
    const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  });
  return `${cells.join(",")}\r\n`;
}

/** The primary users in the order in which they were made. */
async function* pages(data: TenantData, { connection, limit = Infinity }: UserExport): AsyncGenerator<readonly User[]> {
  let after: readonly Scalar[] | undefined;
  for (let left = limit; left > 0;) {
    const wanted = Math.min(page, left);
    const rows = await data.users.find({
      where: { linked_to: "" },
      ...(connection !== undefined && { filter: { field: "connection", op: "eq", value: connection } }),
      orderBy: { fields: ["created_at", "user_id"], direction: "asc" },
      limit: wanted,
      ...(after && { after }),
    });
    if (rows.length > 0) yield await presentUsers(data, rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < wanted) return;
    after = [last.created_at, last.user_id];
    left -= rows.length;
    await endOfTurn();
  }
}
