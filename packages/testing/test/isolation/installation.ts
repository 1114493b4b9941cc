import { createPostern, type Postern, type PosternOptions } from "@postern/core";
import { createMemoryAdapter } from "@postern/memory";
import type { IsolationOptions, TenantAccess } from "../../src/isolation.ts";

const issuer = "https://id.example.test/";
const secret = "a-secret-that-is-long-enough-for-tests";

/** A service with the control plane `main`, to which a test adds tenants. */
interface Installation extends Pick<IsolationOptions, "message"> {
  readonly postern: Postern;
  readonly fetch: (request: Request) => Promise<Response>;
  /** Creates a tenant. By default, the `tenant-id` header selects it. */
  tenant(id: string, address?: Pick<TenantAccess, "issuer" | "headers">): Promise<TenantAccess>;
}

/** Opens an {@link Installation}, by default in memory. */
export async function openInstallation(options: Partial<PosternOptions> = {}): Promise<Installation> {
  const messages = new Map<string, { readonly code?: string | undefined; readonly link?: string | undefined }>();
  const sender = {
    send: async ({ to, code, link }: { to: string; code?: string | undefined; link?: string | undefined }) =>
      void messages.set(to, { code, link }),
  };
  const postern = createPostern({
    issuer,
    data: createMemoryAdapter(),
    crypto: {
      secret: "0123456789abcdef0123456789abcdef",
      signingAlgorithm: "ES256",
      // A real password hash would only slow the tests down.
      hasher: {
        hash: async (password) => `$plain$${password}`,
        verify: async (password, stored) => (stored === `$plain$${password}` ? "match" : "no-match"),
        verifyDummy: async () => {},
        accepts: (stored) => stored.startsWith("$plain$"),
      },
    },
    messages: { mail: sender, sms: sender },
    controlPlane: { tenantId: "main" },
    ...options,
  });
  // Waits for work that continues after a response, such as sending emails.
  const fetch = async (request: Request): Promise<Response> => {
    const pendingWork: Promise<unknown>[] = [];
    const response = await postern.fetch(request, { clientAddress: "192.0.2.1", waitUntil: (work) => void pendingWork.push(work) });
    await Promise.all(pendingWork);
    return response;
  };
  const tenant: Installation["tenant"] = async (id, address = { issuer, headers: { "tenant-id": id } }) => {
    const settings = { name: "Manager", app_type: "non_interactive" } as const;
    await postern.seed({ tenantId: id, clients: [{ clientId: `${id}-manager`, secret, settings, managesTenant: true }] });
    const token = async (): Promise<string> => {
      const client = { client_id: `${id}-manager`, client_secret: secret };
      const body = JSON.stringify({ grant_type: "client_credentials", ...client, audience: `${issuer}api/v2/` });
      const sent = { method: "POST", headers: { "content-type": "application/json" }, body };
      const result: unknown = await (await fetch(new Request(`${issuer}oauth/token`, sent))).json();
      if (typeof result !== "object" || result === null || !("access_token" in result)) throw new Error(JSON.stringify(result));
      return String(result.access_token);
    };
    return { id, ...address, token };
  };
  await tenant("main");
  return { postern, fetch, tenant, message: async (to) => messages.get(to) ?? {} };
}
