import type { CreateClient } from "@postern/core/api";
import { managerOf, type Manager } from "./api.ts";
import { fakeHasher } from "./flow.ts";
import { createTestPostern, type TestOptions, type TestPostern } from "./postern.ts";

/** The id of the control plane's client from which clients in other tenants inherit their URLs. */
export const sharedClientId = "shared-client";

/** The settings of the client {@link sharedClientId}, with its URLs. */
export const sharedSettings = {
  callbacks: ["https://shared.example.test/callback"],
  allowed_logout_urls: ["https://shared.example.test/bye"],
  web_origins: ["https://shared.example.test"],
  allowed_origins: ["https://scripts.example.test"],
  initiate_login_uri: "https://shared.example.test/start",
  tos_uri: "https://shared.example.test/terms",
};

/** A control plane and a tenant that inherits from it, without copies. */
export interface InheritanceSetup {
  readonly service: TestPostern;
  /** Manages the control plane. */
  readonly main: Manager;
  /** Manages the tenant that inherits from it. */
  readonly other: Manager;
}

/** Opens an {@link InheritanceSetup}. */
export async function openInheritance(options: TestOptions = {}): Promise<InheritanceSetup> {
  const controlPlane = { tenantId: "main", clientId: sharedClientId };
  const service = await createTestPostern({ controlPlane, sync: false, ...options, crypto: { hasher: fakeHasher, ...options.crypto } });
  const settings: CreateClient = { name: "Shared", app_type: "spa", ...sharedSettings };
  await service.postern.seed({ tenantId: "main", clients: [{ clientId: sharedClientId, settings }] });
  return { service, main: await managerOf(service, "main"), other: await managerOf(service, "other") };
}
