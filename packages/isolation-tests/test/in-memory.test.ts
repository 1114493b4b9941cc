import { createPostern } from "@postern/core";
import { memoryAdapter } from "@postern/memory";
import { describe, test } from "vitest";
import { isolationCases, type TenantAccess } from "../src/index.ts";

const issuer = "https://id.example.test/";
const secret = "a-secret-that-is-long-enough-for-tests";
const messages = new Map<string, { code?: string | undefined; link?: string | undefined }>();
const sender = {
  send: async ({ to, code, link }: { to: string; code?: string | undefined; link?: string | undefined }) =>
    void messages.set(to, { code, link }),
};

const postern = createPostern({
  issuer,
  data: memoryAdapter(),
  crypto: {
    secret: "0123456789abcdef0123456789abcdef",
    signingAlgorithm: "ES256",
    // Nothing here is about hashing.
    hasher: {
      hash: async (password) => `$plain$${password}`,
      verify: async (password, stored) => (stored === `$plain$${password}` ? "match" : "no-match"),
      verifyNothing: async () => {},
      accepts: (stored) => stored.startsWith("$plain$"),
    },
  },
  messages: { mail: sender, sms: sender },
  controlPlane: { tenantId: "main" },
});

const fetch = async (request: Request): Promise<Response> => {
  const works: Promise<unknown>[] = [];
  const response = await postern.fetch(request, { clientAddress: "192.0.2.1", waitUntil: (work) => void works.push(work) });
  await Promise.all(works);
  return response;
};

async function tenant(id: string): Promise<TenantAccess> {
  const settings = { name: "Manager", app_type: "non_interactive" } as const;
  await postern.seed({ tenantId: id, clients: [{ clientId: `${id}-manager`, secret, settings, managesTenant: true }] });
  return {
    id,
    issuer,
    headers: { "tenant-id": id },
    async token() {
      const body = { grant_type: "client_credentials", client_id: `${id}-manager`, client_secret: secret, audience: `${issuer}api/v2/` };
      const sent = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
      const answer: unknown = await (await fetch(new Request(`${issuer}oauth/token`, sent))).json();
      if (typeof answer !== "object" || answer === null || !("access_token" in answer)) throw new Error(JSON.stringify(answer));
      return String(answer.access_token);
    },
  };
}

// The control plane: it shares and lends nothing here that the others would not have of their own.
await tenant("main");

describe("what acme has is unknown to globex:", async () => {
  const tenants = { owner: await tenant("acme"), stranger: await tenant("globex") };
  for (const { name, run } of await isolationCases({ ...tenants, fetch, message: async (to) => messages.get(to) ?? {} })) test(name, run);
});
