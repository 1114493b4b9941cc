import { createDeviceSession } from "../../identity/sessions/device-session.ts";
import { deleteNewSession, type StoredSession } from "../../identity/sessions/session.ts";
import { auditClient, auditUser } from "../../logs/audit.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantContext } from "../../context.ts";
import type { GrantActionsResult } from "../actions/action-result.ts";
import { deviceOf, findDeviceCode, type DeviceGrant } from "./device-code.ts";

/** The approval of a user. */
interface Approval {
  readonly client: RegisteredClient;
  readonly user: Row<"users">;
  /** The session of the user's browser. */
  readonly session: StoredSession;
  readonly scope: readonly string[];
  /** The API's stored identifier; null for a token that is valid only for `/userinfo`. */
  readonly audience: string | null;
  readonly organization: DeviceGrant["organization"] | undefined;
  readonly actions: GrantActionsResult | undefined;
}

/** How the decision ended. `lost`: the code has expired, or another user decided first. */
export type DeviceDecision = "approved" | "denied" | "lost";

/**
 * Approves a device code. The conditional update decides, so that one user approves a code, and only while it is valid.
 * The session of the device is stored before it, so that a request that ends the user's sessions finds it. Of a form
 * that is submitted twice, both responses report the approval.
 */
export async function approveDeviceCode(tenant: TenantContext, codeHash: string, approval: Approval): Promise<DeviceDecision> {
  const { client, user, session, scope, audience, organization, actions } = approval;
  const { data, random, requestInfo } = tenant;
  const code = await findDeviceCode(tenant, codeHash);
  if (code === undefined) return "lost";
  const { ip, user_agent: userAgent } = deviceOf(code);
  const clientId = client.record.client_id;
  const onDevice = await createDeviceSession(tenant, session, { clientId, ip, userAgent, lifetimes: tenant.settings });
  const granted: DeviceGrant = {
    session_id: onDevice.id,
    grant_id: random.record("grt_"),
    refresh_token_id: random.record("rt_"),
    scope: [...scope],
    audience,
    ...(organization && { organization }),
    approved_from: requestInfo.sharedIp ? null : (requestInfo.ip ?? null),
    ...(actions && { actions }),
  };
  // A request that ended the user's sessions before the session of the device was stored has ended the browser's.
  const current = await findOne(data.sessions, { id: session.id });
  const where = { code_hash: codeHash, state: "pending", expires_at: { gt: tenant.now() } };
  const set = { state: "approved", user_id: user.user_id, granted };
  if (current?.revoked_at === null && (await data.device_codes.update(where, { set })) === 1) return "approved";
  await deleteNewSession(data, onDevice);
  const decided = await findDeviceCode(tenant, codeHash);
  const isOwn = decided?.user_id === user.user_id && (decided.state === "approved" || decided.state === "redeemed");
  return isOwn ? "approved" : "lost";
}

/** The user who denies, and the client of the device. */
interface Denial {
  readonly client: RegisteredClient;
  /** Undefined if the visitor did not sign in. */
  readonly user: Row<"users"> | undefined;
}

/** Denies a device code, so that the client gets `access_denied`. */
export async function denyDeviceCode(tenant: TenantContext, codeHash: string, { client, user }: Denial): Promise<DeviceDecision> {
  const where = { code_hash: codeHash, state: "pending", expires_at: { gt: tenant.now() } };
  if ((await tenant.data.device_codes.update(where, { set: { state: "denied" } })) === 1) {
    const code = await findDeviceCode(tenant, codeHash);
    await tenant.audit({
      type: "fdecc",
      description: "The user did not connect the device.",
      ...auditClient(client),
      ...(user && auditUser(user)),
      ...(code && { details: { requested_from: { ...deviceOf(code) } } }),
    });
    return "denied";
  }
  return (await findDeviceCode(tenant, codeHash))?.state === "denied" ? "denied" : "lost";
}
