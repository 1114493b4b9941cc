import type { HookTenant } from "../../adapters/tenant-hooks.ts";
import type { Installation } from "../installation.ts";
import { callAfterHook } from "./hooks.ts";
import { operationStore, stepsOf, type Operation } from "./operations.ts";

/** How often a hook is told of a change before it is given up. */
const mostTries = 5;

type After = "onTenantCreated" | "onTenantUpdated" | "onTenantDeleted";

/**
 * Tells a hook of a change that was made, and ends the operation. Where the hook throws, the operation stays open and `sweep` tells the hook again; after five times the operation
 * ends all the same, with an error that says so. Where operations are not kept, the hook is told once. Never rejects: the change stands.
 */
export async function callAfterHooks(
  installation: Installation,
  operation: Operation,
  hook: After,
  tenants: readonly HookTenant[],
): Promise<void> {
  const { hooks } = installation;
  const told = async (): Promise<string | undefined> => {
    if (hooks[hook] === undefined) return undefined;
    try {
      await operation.step(hook, () => callAfterHook(installation, hook, tenants));
      return undefined;
    } catch (error) {
      installation.host.logger.log({ level: "error", event: "hook_failed", hook, tenant_id: tenants.at(-1)?.id ?? "", error });
      return `${hook} failed ${mostTries} times`;
    }
  };
  try {
    const failure = await told();
    if (failure !== undefined && (await failures(installation, operation, hook)) < mostTries) return;
    await operation.finish("succeeded", failure);
  } catch (error) {
    installation.host.logger.log({ level: "error", event: "fault", error });
  }
}

async function failures(installation: Installation, { id }: Operation, hook: After): Promise<number> {
  const store = operationStore(installation);
  if (store === undefined || id === undefined) return mostTries;
  return (await stepsOf(store, id)).filter(({ name, status }) => name === hook && status === "failed").length;
}
