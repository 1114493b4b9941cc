import * as z from "zod";
import { sha256 } from "../../adapters/digest.ts";
import type { TenantContext } from "../../context.ts";
import { PosternError } from "../../errors.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { demandsOn } from "../../model/clients/client-demands.ts";
import { isExternal } from "../../model/clients/external.ts";
import { allowsGrantType, deviceCodeGrantType } from "../../model/clients/grant-types.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { grantActionsResultSchema } from "../actions/action-result.ts";
import { createUserCode, hashUserCode } from "./user-code.ts";

/** A device code as it is stored. */
export type StoredDeviceCode = Row<"device_codes">;

/** How long a device code and its user code are valid, in milliseconds. */
export const deviceCodeLifetime = 15 * 60_000;

/** The seconds that a client waits between two polls, unless a response asked it to slow down. */
export const pollingInterval = 5;

/** How long a row is stored after its code has expired, in milliseconds. A late poll then gets `expired_token`. */
const memory = 60 * 60_000;

/** The parameters of the request for a device code, as the client sent them. */
const requestedSchema = z
  .object({ scope: z.string(), audience: z.string(), resource: z.string(), organization: z.string() })
  .exactPartial();

/** The parameters of the request for a device code. */
export type DeviceRequest = z.infer<typeof requestedSchema>;

/** The sender of the request for a device code. The page on which the user confirms the code displays it. */
const deviceSchema = z.object({ ip: z.string().nullable(), user_agent: z.string() });

/** The sender of the request for a device code. */
export type RequestingDevice = z.infer<typeof deviceSchema>;

/** The approved access. Tokens are issued for it when the client polls. */
const grantedSchema = z.object({
  session_id: z.string(),
  grant_id: z.string(),
  refresh_token_id: z.string(),
  scope: z.array(z.string()),
  /** The API's stored identifier; null for a token that is valid only for `/userinfo`. */
  audience: z.string().nullable(),
  organization: z.object({ id: z.string(), by_name: z.boolean() }).exactOptional(),
  /** The IP address from which the user approved; null if the host application does not pass it. */
  approved_from: z.string().nullable(),
  /** The decisions of the host's actions. */
  actions: grantActionsResultSchema.exactOptional(),
});

/** The approved access. */
export type DeviceGrant = z.infer<typeof grantedSchema>;

/** Parses the request of a stored device code. */
export function requestOf({ requested }: StoredDeviceCode): DeviceRequest {
  return requestedSchema.parse(requested);
}

/** Parses the sender of the request for a stored device code. */
export function deviceOf({ device }: StoredDeviceCode): RequestingDevice {
  return deviceSchema.parse(device);
}

/** Parses what the user approved. @throws if no user approved the code. */
export function grantOf({ granted }: StoredDeviceCode): DeviceGrant {
  return grantedSchema.parse(granted);
}

/**
 * Requires that a client may sign users in on devices. An external client may not: no administrator checked it, and a
 * user who confirms a code of another device cannot recognize it.
 * @throws {PosternError} `unauthorized_client`.
 */
export function requireDeviceGrant(client: RegisteredClient): void {
  const { record } = client;
  if (allowsGrantType(record, deviceCodeGrantType) && !isExternal(record) && demandsOn(client).grantTypes === undefined) return;
  throw new PosternError("unauthorized_client", `the client is not allowed to use the grant type '${deviceCodeGrantType}'`);
}

/** The codes of a new request. Only the client gets the device code; the user types the user code. */
interface NewDeviceCode {
  readonly deviceCode: string;
  readonly userCode: string;
}

/** How often a user code is drawn again because another valid request has it. */
const draws = 5;

/**
 * Stores the request of a device. Both codes are stored as hashes.
 * @throws {PosternError} `temporarily_unavailable` if every user code that was drawn is in use.
 */
export async function storeDeviceCode(tenant: TenantContext, client: RegisteredClient, requested: DeviceRequest): Promise<NewDeviceCode> {
  const deviceCode = tenant.random.token(32);
  const code_hash = await sha256(deviceCode);
  const now = tenant.now();
  const { ip, sharedIp, userAgent } = tenant.requestInfo;
  const device: RequestingDevice = { ip: sharedIp ? null : (ip ?? null), user_agent: userAgent.slice(0, 1000) };
  for (let draw = 0; draw < draws; draw++) {
    const userCode = createUserCode(tenant);
    const row: StoredDeviceCode = {
      code_hash,
      user_code_hash: await hashUserCode(tenant, userCode),
      client_id: client.record.client_id,
      requested,
      device,
      state: "pending",
      interval_seconds: pollingInterval,
      polled_at: 0,
      user_id: null,
      granted: {},
      created_at: now,
      expires_at: now + deviceCodeLifetime,
      purge_at: now + deviceCodeLifetime + memory,
    };
    if (await tenant.data.device_codes.insert([row])) return { deviceCode, userCode };
  }
  throw new PosternError("temporarily_unavailable", "no unused user code was found: try again");
}

/** Returns the request that a user code belongs to; undefined if the code is unknown, has expired or was decided. */
export async function findPendingCode(tenant: TenantContext, userCode: string): Promise<StoredDeviceCode | undefined> {
  const found = await findOne(tenant.data.device_codes, { user_code_hash: await hashUserCode(tenant, userCode) });
  return found !== undefined && isPending(tenant, found) ? found : undefined;
}

/** Returns the device code with a hash, in any state. */
export async function findDeviceCode(tenant: TenantContext, codeHash: string): Promise<StoredDeviceCode | undefined> {
  const found = await findOne(tenant.data.device_codes, { code_hash: codeHash });
  return found;
}

/** Whether a user can still decide about a device code. */
export function isPending(tenant: Pick<TenantContext, "now">, { state, expires_at: end }: StoredDeviceCode): boolean {
  return state === "pending" && end > tenant.now();
}
