import type { RegisteredClient } from "../../model/clients/client.ts";
import { auditClient, auditConnection, auditVisitor } from "../../logs/audit.ts";
import { startAfterResponse, type TenantContext } from "../../context.ts";
import type { NewActionUser, PreUserRegistrationApi } from "../../adapters/actions.ts";
import type { Row } from "../../store/schema.ts";
import type { Json, JsonObject } from "../../store/value.ts";
import { mergeSettings } from "../../model/settings.ts";
import { actionClient, actionConnection, actionRequest, actionUser } from "./action-user.ts";
import { actionsWith, callAction } from "./call-action.ts";
import { metadataEntry } from "./metadata-entry.ts";

/** The decision of the host's actions about a sign-up. */
type RegistrationDecision =
  | { readonly kind: "allowed"; readonly app_metadata?: JsonObject; readonly user_metadata?: JsonObject }
  /** `message`: the reason, for API clients. The audit event is already written. */
  | { readonly kind: "denied"; readonly message: string };

/** Calls the host's actions before and after a sign-up. */
interface Registration {
  /**
   * Returns whether the account may be created. The decision must not depend on whether an account exists.
   * @throws {PosternError} `temporarily_unavailable` if an action failed.
   */
  before(
    user: Omit<NewActionUser, "app_metadata" | "user_metadata"> & { readonly user_metadata?: JsonObject },
  ): Promise<RegistrationDecision>;
  /** Notifies the actions that the account was created. They run after the response. */
  after(user: Row<"users">): void;
}

const denial = "The account cannot be created.";

/**
 * Returns the {@link Registration} for a sign-up in a connection. `client`: the client that sent the visitor, if it is
 * known.
 */
export function registrationAt(tenant: TenantContext, client: RegisteredClient | undefined, connection: Row<"connections">): Registration {
  const { requestInfo } = tenant;
  const common = {
    tenant: { id: tenant.data.tenantId },
    request: actionRequest(requestInfo),
    ...(client && { client: actionClient(client.record) }),
    connection: actionConnection(connection),
  };
  return {
    before: async (user) => {
      const trigger = "onExecutePreUserRegistration";
      const listed = actionsWith(tenant, trigger);
      if (listed.length === 0) return { kind: "allowed" };
      const appMetadata = new Map<string, Json>();
      const userMetadata = new Map<string, Json>();
      let denied: { readonly reason: string; readonly message: string } | undefined;
      const api: PreUserRegistrationApi = {
        access: { deny: (reason, message = denial) => void (denied = { reason: String(reason), message: String(message) }) },
        validation: { error: (code, message) => void (denied = { reason: String(code), message: String(message) }) },
        user: {
          setAppMetadata: (key, value) => void appMetadata.set(...metadataEntry(key, value)),
          setUserMetadata: (key, value) => void userMetadata.set(...metadataEntry(key, value)),
        },
      };
      const metadata = () => ({
        app_metadata: mergeSettings({}, Object.fromEntries(appMetadata)),
        user_metadata: mergeSettings(structuredClone(user.user_metadata ?? {}), Object.fromEntries(userMetadata)),
      });
      for (const one of listed) {
        const event = { ...common, secrets: one.action.secrets ?? {}, user: { ...user, ...metadata() } };
        await callAction(tenant, trigger, one, async () => one.action[trigger]?.(event, api));
        if (denied === undefined) continue;
        await tenant.audit({
          type: "fs",
          description: denied.reason,
          ...auditConnection(connection),
          ...auditClient(client),
          ...auditVisitor(user.email ?? user.username ?? user.phone_number ?? ""),
          details: { action: one.name },
        });
        return { kind: "denied", message: denied.message };
      }
      return { kind: "allowed", ...metadata() };
    },
    after: (row) => {
      const trigger = "onExecutePostUserRegistration";
      for (const one of actionsWith(tenant, trigger)) {
        const event = { ...common, secrets: one.action.secrets ?? {}, user: actionUser(row) };
        // `callAction` has logged the failure already.
        startAfterResponse(requestInfo, () => callAction(tenant, trigger, one, async () => one.action[trigger]?.(event)).catch(() => {}));
      }
    },
  };
}
