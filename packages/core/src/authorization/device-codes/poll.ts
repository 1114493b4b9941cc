import { sha256 } from "../../adapters/digest.ts";
import type { TenantContext } from "../../context.ts";
import { PosternError } from "../../errors.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { findDeviceCode, pollingInterval, type StoredDeviceCode } from "./device-code.ts";

/**
 * How much earlier than after the interval a poll may arrive, in milliseconds. The first request of two may take longer
 * to arrive than the second.
 */
const jitter = 500;

/**
 * Returns the device code that a client polls, if a user approved it. It can still be redeemed by {@link redeemDeviceCode}.
 * @throws {PosternError} as RFC 8628 section 3.5 defines: `authorization_pending`; `slow_down` if the client polled too
 * early, and from then on must wait longer; `access_denied`; `expired_token`. `invalid_grant` if the code is unknown, was
 * redeemed, or belongs to another client.
 */
export async function pollDeviceCode(tenant: TenantContext, client: RegisteredClient, text: string): Promise<StoredDeviceCode> {
  const code = await findDeviceCode(tenant, await sha256(text));
  if (code === undefined || code.client_id !== client.record.client_id || code.state === "redeemed") throw invalidDeviceCode();
  if (code.state === "denied") throw new PosternError("access_denied", "the user did not connect the device");
  if (code.expires_at <= tenant.now()) throw new PosternError("expired_token", "the device code has expired", { status: 400 });
  if (code.state === "approved") return code;
  throw await recordPoll(tenant, code);
}

/** Stores the time of a poll. @returns the error from which the client learns when to poll again. */
async function recordPoll(tenant: TenantContext, code: StoredDeviceCode): Promise<PosternError> {
  const now = tenant.now();
  const { code_hash, polled_at, interval_seconds: interval } = code;
  const isEarly = now < polled_at + interval * 1000 - jitter;
  const set = { polled_at: now, interval_seconds: isEarly ? interval + pollingInterval : interval };
  const stored = await tenant.data.device_codes.update({ code_hash, state: "pending", polled_at }, { set });
  // If another poll was stored first, or the user decided at this moment, this poll came too early or its answer is
  // outdated. In both cases, the client polls again.
  if (!isEarly && stored === 1) return new PosternError("authorization_pending", "the user has not decided yet");
  return new PosternError("slow_down", `wait ${pollingInterval} seconds longer between two polls`);
}

/**
 * Marks an approved code as redeemed. The conditional update succeeds for only one of several parallel requests.
 * @throws {PosternError} `invalid_grant` if another request redeemed the code.
 */
export async function redeemDeviceCode({ data }: TenantContext, { code_hash }: StoredDeviceCode): Promise<void> {
  const redeemed = await data.device_codes.update({ code_hash, state: "approved" }, { set: { state: "redeemed" } });
  if (redeemed !== 1) throw invalidDeviceCode();
}

function invalidDeviceCode(): PosternError {
  return new PosternError("invalid_grant", "the device code is invalid");
}
