import type { HookTenant } from "../../adapters/tenant-hooks.ts";
import type { Installation } from "../installation.ts";
import { callAfterHook } from "./hooks.ts";
import { operationStore, stepsOf, type LifecycleOperation } from "./operations.ts";

/** Maximum number of times that a hook is called for one change. */
const maximumAttempts = 5;

type After = "onTenantCreated" | "onTenantUpdated" | "onTenantDeleted";

/**
 * Calls a hook after a change and finishes the operation. If the hook throws, the operation stays open and `sweep`
 * calls the hook again. After five failures the operation finishes with an error. If operations are not stored, the
 * hook is called once. Never rejects, because the change is already made.
 */
export async function callAfterHooks(
  installation: Installation,
  operation: LifecycleOperation,
  hook: After,
  tenants: readonly HookTenant[],
): Promise<void> {
  const { hooks } = installation;
  const callHook = async (): Promise<string | undefined> => {
    if (hooks[hook] === undefined) return undefined;
    try {
      await operation.step(hook, () => callAfterHook(installation, hook, tenants));
      return undefined;
    } catch (error) {
      installation.host.logger.log({ level: "error", event: "hook_failed", hook, tenant_id: tenants.at(-1)?.id ?? "", error });
      return `${hook} failed ${maximumAttempts} times`;
    }
  };
  try {
    const failure = await callHook();
    if (failure !== undefined && (await failures(installation, operation, hook)) < maximumAttempts) return;
    await operation.finish("succeeded", failure);
  } catch (error) {
    installation.host.logger.log({ level: "error", event: "fault", error });
  }
}

async function failures(installation: Installation, { id }: LifecycleOperation, hook: After): Promise<number> {
  const store = operationStore(installation);
  if (store === undefined || id === undefined) return maximumAttempts;
  return (await stepsOf(store, id)).filter(({ name, status }) => name === hook && status === "failed").length;
}
