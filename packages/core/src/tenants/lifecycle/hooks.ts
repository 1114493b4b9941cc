import type { Wait } from "../../adapters/wait.ts";
import type { HookTenant, TenantHooks } from "../../adapters/tenant-hooks.ts";
import type { Row } from "../../store/schema.ts";
import { DeadlineError, withDeadline } from "../../adapters/deadline.ts";
import { PosternError } from "../../errors.ts";
import { toTimestamp } from "../../model/fields.ts";
import type { Installation } from "../installation.ts";

/** Milliseconds that a hook may take. */
const hookTimeout = 10_000;

/** Milliseconds that `onProvision` and `onDeprovision` may take. */
export const provisionTime = 300_000;

type Before = "onTenantCreating" | "onTenantUpdating" | "onTenantDeleting";
type After = "onTenantCreated" | "onTenantUpdated" | "onTenantDeleted";

/** Calls a hook before a change. @throws {PosternError} if it rejects the change or does not return in time. */
export async function callBeforeHook<Name extends Before>(
  installation: Installation,
  name: Name,
  ...tenants: Parameters<NonNullable<TenantHooks[Name]>>
): Promise<void> {
  try {
    await call(installation.hooks, name, tenants, installation.host.wait);
  } catch (cause) {
    if (cause instanceof DeadlineError)
      throw new PosternError("temporarily_unavailable", `${name} did not return in time`, { cause, detail: cause.message });
    const reason = cause instanceof Error && "expose" in cause && cause.expose === true ? `: ${cause.message}` : "";
    throw new PosternError("invalid_request", `the host application rejected this change${reason}`, {
      cause,
      detail: `${name}: ${String(cause)}`,
    });
  }
}

/** Calls a hook after a change. @throws what the hook throws. */
export async function callAfterHook(installation: Installation, name: After, tenants: readonly HookTenant[]): Promise<void> {
  await call(installation.hooks, name, tenants, installation.host.wait);
}

async function call(hooks: TenantHooks, name: Before | After, tenants: readonly HookTenant[], wait: Wait): Promise<void> {
  if (hooks[name] === undefined) return;
  // Each hook takes as many tenants as its callers pass. The name determines the type.
  const hook = hooks as { readonly [Hook in Before | After]?: (...given: readonly HookTenant[]) => void | Promise<void> };
  await withDeadline(async () => hook[name]?.(...tenants), hookTimeout, name, wait);
}

/** A tenant in the format that hooks receive. */
export function toHookTenant({
  id,
  name,
  friendly_name: friendlyName,
  created_at: created,
  updated_at: updated,
}: Row<"tenants">): HookTenant {
  return { id, name, friendly_name: friendlyName, created_at: toTimestamp(created), updated_at: toTimestamp(updated) };
}
