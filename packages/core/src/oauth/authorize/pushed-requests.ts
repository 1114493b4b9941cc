import * as z from "zod";
import { sha256 } from "../../adapters/digest.ts";
import { PosternError } from "../../errors.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { findOne } from "../../store/find-one.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { Checked } from "./checks/check.ts";

const prefix = "urn:ietf:params:oauth:request_uri:";

/** Seconds within which a browser must open a pushed request, if the client sets no other time. As in Auth0. */
const defaultLifetime = 30;

/** Milliseconds for which a login can use a request after it was opened: longer than a login session lasts. */
const loginTime = 2 * 3_600_000;

const parametersSchema = z.record(z.string(), z.string());

/** A pushed request that a browser can open. */
interface PushedRequest {
  /** The hash of the request URI, which is not stored. */
  readonly id: string;
  /** The id of the client's record. */
  readonly clientId: string;
  readonly parameters: Checked["sent"];
}

/** Whether a `request_uri` is one that {@link storePushedRequest} returned. Others would have to be fetched. */
export function isPushedRequestUri(uri: string): boolean {
  return uri.startsWith(prefix);
}

/** Stores an authorization request (RFC 9126 section 2.2). @returns its request URI, and its lifetime in seconds. */
export async function storePushedRequest(
  tenant: RequestTenant,
  { record, settings }: RegisteredClient,
  parameters: Checked["sent"],
): Promise<{ readonly uri: string; readonly lifetime: number }> {
  const uri = prefix + tenant.random.token(32);
  const lifetime = settings.par_request_expiry ?? defaultLifetime;
  const now = tenant.now();
  const expires = now + lifetime * 1000;
  await tenant.data.pushed_requests.insert([
    {
      uri_hash: await sha256(uri),
      client_id: record.client_id,
      parameters,
      login_id: null,
      created_at: now,
      expires_at: expires,
      purge_at: expires + loginTime,
    },
  ]);
  return { uri, lifetime };
}

/** Returns the request with this URI; undefined if it is unknown, has expired or was used. */
export async function findPushedRequest(tenant: RequestTenant, uri: string): Promise<PushedRequest | undefined> {
  const row = await findOne(tenant.data.pushed_requests, { uri_hash: await sha256(uri) });
  if (row === undefined || row.expires_at <= tenant.now() || row.login_id !== null) return undefined;
  return { id: row.uri_hash, clientId: row.client_id, parameters: parametersSchema.parse(row.parameters) };
}

/**
 * Uses up a pushed request for the response to the client. The conditional update succeeds for one login only. A repeated
 * submission in the same login succeeds again, because the browser shows only the last response.
 * @param loginId the login session; undefined for a login without one.
 * @throws {PosternError} `invalid_request_uri` if another login used the request.
 */
export async function usePushedRequest(tenant: RequestTenant, id: string, loginId: string | undefined): Promise<void> {
  const { pushed_requests: requests } = tenant.data;
  const usedBy = loginId ?? tenant.random.token(24);
  if ((await requests.update({ uri_hash: id, login_id: null }, { set: { login_id: usedBy } })) === 1) return;
  if ((await findOne(requests, { uri_hash: id }))?.login_id !== usedBy) throw invalidRequestUri();
}

/** Creates the error for a `request_uri` that cannot be opened (RFC 9101 section 7). It does not say why. */
export function invalidRequestUri(): PosternError {
  return new PosternError("invalid_request_uri", "'request_uri' is unknown, has expired, was used, or belongs to another client");
}
