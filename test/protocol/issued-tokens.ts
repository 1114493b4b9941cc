import { createHash } from "node:crypto";
import { decodeJwt, decodeProtectedHeader } from "jose";
import type { TestPostern } from "../support/postern.ts";

type Members = { readonly [name: string]: unknown };

/** A ULID, the random part of most ids. */
const ulid = /[0-7][0-9A-HJKMNP-TV-Z]{25}/g;

/**
 * Describes what a request issued at the current time of the clock: the members of the response and the claims of each
 * JWT in their order, the audit events, and the grants of new refresh tokens. A random value is replaced by a name, which
 * is the same for equal values.
 */
export async function describeIssued({ data, clock }: TestPostern, members: Members): Promise<unknown> {
  const now = clock.now();
  const { logs, refresh_tokens, authorization_codes } = data.collections;
  const where = { tenant_id: "main" };
  const [events, refreshTokens, codes] = await Promise.all([
    logs.find({ where, limit: 1000 }),
    refresh_tokens.find({ where, limit: 1000 }),
    authorization_codes.find({ where, limit: 1000 }),
  ]);
  const described = {
    response: Object.fromEntries(Object.entries(members).map(([name, value]) => [name, describeMember(name, value, members)])),
    events: events
      .filter(({ date }) => date === now)
      .toSorted((one, other) => (one.log_id < other.log_id ? -1 : 1))
      .map(({ type, description, client_id, user_id, audience, scope, details: { request_id: _, ...details } }) =>
        withoutEmpty({ type, description, client_id, user_id, audience, scope, details }),
      ),
    codes: codes.filter((row) => row.created_at === now).map(({ tenant_id: _, code_hash: _hash, ...row }) => row),
    refresh_tokens: refreshTokens
      .filter((row) => row.created_at === now)
      .map(({ grant_id, family_id, session_id, client_id, user_id, organization_id, audience, scope, auth_time, claims, expires_at }) => {
        return { grant_id, family_id, session_id, client_id, user_id, organization_id, audience, scope, auth_time, claims, expires_at };
      }),
  };
  const names = new Map<string, string>();
  const named = JSON.stringify(described).replaceAll(ulid, (id) => names.get(id) ?? names.set(id, `ulid ${names.size + 1}`).get(id) ?? id);
  return JSON.parse(named);
}

function withoutEmpty(row: Members): Members {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== "" && JSON.stringify(value) !== "{}"));
}

function describeMember(name: string, value: unknown, members: Members): unknown {
  if (typeof value !== "string" || !/^(code|refresh_token|recovery_code|access_token|id_token)$/.test(name)) return value;
  if (value.split(".").length !== 3) return `a ${name.replaceAll("_", " ")} of ${value.length} characters`;
  const { alg, typ } = decodeProtectedHeader(value);
  const claims = Object.entries(decodeJwt(value)).map(([claim, content]) => [claim, describeClaim(claim, content, members)]);
  return { header: { alg, typ }, claims: Object.fromEntries(claims) };
}

function describeClaim(name: string, value: unknown, { code, access_token: accessToken }: Members): unknown {
  if (name === "jti") return `${String(value).length} characters`;
  if (name === "c_hash" && value === leftHalf(code)) return "of the code";
  if (name === "at_hash" && value === leftHalf(accessToken)) return "of the access token";
  return value;
}

function leftHalf(text: unknown): string {
  return createHash("sha256").update(String(text)).digest().subarray(0, 16).toString("base64url");
}
