import { createPostern, type Postern, type PosternOptions } from "@postern/core";
import type { Databases } from "./databases.ts";

/** The tenant that manages the others. Its data is in the first database. */
export const controlPlaneId = "main";

/** Creates a Postern service with a separate database for each tenant. */
export function createService({ first, tenants }: Databases, options: Pick<PosternOptions, "issuer" | "crypto" | "logger">): Postern {
  return createPostern({
    ...options,
    data: first,
    defaultTenantId: controlPlaneId,
    controlPlane: { tenantId: controlPlaneId },
    databaseIsolation: {
      getAdapters: (tenantId) => tenants.open(tenantId),
      async onProvision(tenantId, reportStep) {
        const { applied } = await tenants.provision(tenantId);
        await reportStep?.({ name: "tables", status: "succeeded", detail: { migrations: applied.length } });
      },
      onDeprovision: (tenantId) => tenants.drop(tenantId),
    },
  });
}
