import { hash, randomBytes, subtle } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import Database from "better-sqlite3";
import type { Facts } from "../operation.ts";

/** A row that better-sqlite3 returns. */
export interface Columns {
  readonly [column: string]: unknown;
}

type Cell = string | number | null;

/** A statement that is prepared once. */
interface Prepared {
  get(...values: readonly Cell[]): Columns | undefined;
  all(...values: readonly Cell[]): readonly Columns[];
  run(...values: readonly Cell[]): { readonly changes: number };
}

/** The members of an audit event that differ between the operations. */
interface AuditedEvent {
  /** The default is `main`. */
  readonly tenant_id?: string;
  readonly type: string;
  readonly client_id: string;
  readonly audience: string;
  readonly scope: string;
}

/** The functions that the handlers of `bare` use. */
export interface BareTools {
  readonly facts: Facts;
  prepare(text: string): Prepared;
  /** The columns of the users table, without the tenant's id. */
  readonly userColumns: string;
  /** Returns a user in the Management API's format. */
  toUser(row: Columns): object;
  audit(request: IncomingMessage, event: AuditedEvent): void;
  /**
   * Whether the bearer token is valid. `bare` compares the token with known tokens, because Postern verifies the
   * signature of a token only once.
   */
  allowed(request: IncomingMessage): boolean;
  sign(alg: "RS256" | "ES256", claims: object): Promise<string>;
  hash(text: string): string;
  newId(): string;
  send(response: ServerResponse, status: number, body: string, headers?: { readonly [name: string]: string }): void;
}

const signing = {
  RS256: { import: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, sign: { name: "RSASSA-PKCS1-v1_5" } },
  ES256: { import: { name: "ECDSA", namedCurve: "P-256" }, sign: { name: "ECDSA", hash: "SHA-256" } },
} as const;

const userColumns =
  "user_id, connection, provider, linked_to, linked_count, email, email_key, email_verified, username, username_key, phone_number, " +
  "phone_key, phone_verified, name, nickname, given_name, family_name, picture, blocked, app_metadata, user_metadata, password_id, " +
  "last_password_reset, last_ip, last_login, logins_count, revision, created_at, updated_at, deleting_at";

/** Opens the database with Postern's settings. */
export async function bareTools(path: string, facts: Facts): Promise<BareTools> {
  const database = new Database(path);
  for (const pragma of ["busy_timeout = 5000", "journal_mode = wal", "synchronous = normal"]) database.pragma(pragma);
  const prepare = (text: string): Prepared => {
    const statement = database.prepare<Cell[], Columns>(text);
    return {
      get: (...values) => statement.get(...values),
      all: (...values) => statement.all(...values),
      run: (...values) => statement.run(...values),
    };
  };

  const signers = Object.fromEntries(
    await Promise.all(
      (["RS256", "ES256"] as const).map(async (alg) => {
        const { kid, privateKey } = facts.keys[alg];
        const key = await subtle.importKey("pkcs8", Buffer.from(privateKey, "base64"), signing[alg].import, false, ["sign"]);
        return [alg, { key, header: Buffer.from(JSON.stringify({ alg, typ: "JWT", kid })).toString("base64url") }] as const;
      }),
    ),
  );

  const log = prepare(
    "insert into postern_logs (tenant_id, log_id, date, type, description, client_id, client_name, connection, connection_id, " +
      "organization_id, organization_name, user_id, user_name, ip, hostname, user_agent, is_mobile, audience, scope, strategy, " +
      "strategy_type, details, expires_at) values (?, ?, ?, ?, '', ?, 'Bench', '', '', '', '', '', '', ?, ?, ?, 0, ?, ?, '', '', ?, null)",
  );
  const validTokens = new Set([`Bearer ${facts.token}`, `Bearer ${facts.otherToken}`]);

  return {
    facts,
    prepare,
    userColumns,
    toUser,
    newId,
    hash: (text) => hash("sha256", text, "base64url"),
    allowed: ({ headers }) => validTokens.has(headers.authorization ?? ""),
    audit({ headers, socket }, { tenant_id = "main", type, client_id, audience, scope }) {
      const details = JSON.stringify({ request_id: randomBytes(12).toString("base64url") });
      const requestColumns = [socket.remoteAddress ?? "", headers.host ?? "", headers["user-agent"] ?? ""];
      log.run(tenant_id, newId(), Date.now(), type, client_id, ...requestColumns, audience, scope, details);
    },
    async sign(alg, claims) {
      const signer = signers[alg];
      if (signer === undefined) throw new Error(`no key for ${alg}`);
      const content = `${signer.header}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
      const signature = await subtle.sign(signing[alg].sign, signer.key, Buffer.from(content));
      return `${content}.${Buffer.from(signature).toString("base64url")}`;
    },
    send(response, status, body, headers = { "cache-control": "no-store" }) {
      response.writeHead(status, {
        "content-type": "application/json; charset=utf-8",
        "content-length": Buffer.byteLength(body),
        ...headers,
      });
      response.end(body);
    },
  };
}

/** Returns 26 characters that sort by time, like Postern's ids. */
const newId = (): string => Date.now().toString(32).padStart(10, "0") + randomBytes(8).toString("hex");

function toUser(row: Columns): object {
  const { user_id: userId, connection, provider, email } = row;
  const user: { [field: string]: unknown } = { user_id: userId, connection, provider };
  const verified = row["email_verified"] === 1;
  if (email !== "") user["email"] = email;
  user["email_verified"] = verified;
  for (const field of ["username", "name", "nickname", "given_name", "family_name", "picture"]) {
    if (row[field] !== null && row[field] !== "") user[field] = row[field];
  }
  if (row["phone_number"] !== null) {
    user["phone_number"] = row["phone_number"];
    user["phone_verified"] = row["phone_verified"] === 1;
  }
  if (row["blocked"] === 1) user["blocked"] = true;
  user["user_metadata"] = JSON.parse(String(row["user_metadata"]));
  user["app_metadata"] = JSON.parse(String(row["app_metadata"]));
  const id = String(userId);
  user["identities"] = [{ connection, user_id: id.slice(id.indexOf("|") + 1), provider, isSocial: false }];
  user["created_at"] = new Date(Number(row["created_at"])).toISOString();
  user["updated_at"] = new Date(Number(row["updated_at"])).toISOString();
  if (Number(row["last_login"]) > 0) user["last_login"] = new Date(Number(row["last_login"])).toISOString();
  if (row["last_ip"] !== null) user["last_ip"] = row["last_ip"];
  if (Number(row["logins_count"]) > 0) user["logins_count"] = row["logins_count"];
  return user;
}
