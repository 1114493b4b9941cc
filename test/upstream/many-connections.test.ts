import { createMemoryAdapter } from "@postern/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { stringMember } from "../support/api.ts";
import { countingAdapter, type CountingAdapter } from "../support/counting-adapter.ts";
import { sendAuthorization, loginState, getFlow, sendStep, submitStep, type LoginService } from "../support/flow.ts";
import {
  returnFromProvider,
  signInWithProvider,
  goToProvider,
  openFederation,
  submitProviderSignIn,
  upstreamIssuer,
  type Federation,
} from "./federation.ts";

const email = (name: string): string => `${name}@corp-7.example`;
const options = { issuer: upstreamIssuer, client_id: "we", client_secret: "a secret of ours" };

/** Creates enterprise connections, hidden on login pages, each enabled for the client and with its own domain. */
async function addProviders({ manage, web }: LoginService, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const body = { name: `corp-${n}`, strategy: "oidc", options: { ...options, domain_aliases: [`corp-${n}.example`] } };
    ids.push(stringMember(await manage.create("/api/v2/connections", body), "id"));
  }
  const { body } = await manage("GET", `/api/v2/clients/${web.clientId}/connections`);
  const { connections } = body as { readonly connections: readonly { readonly id: string }[] };
  await manage("PATCH", `/api/v2/clients/${web.clientId}/connections`, [...connections.map(({ id }) => id), ...ids]);
  return ids;
}

/** Submits an email address as the identifier. @returns the next step or the redirect. */
async function submitIdentifier({ service }: Federation, identifier: string): Promise<{ readonly step?: unknown; readonly to?: URL }> {
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, service.web));
  const { redirect_to: to, screen } = await submitStep(browser, state, { action: "continue", identifier });
  return typeof to === "string" ? { to: new URL(to) } : { step: (screen as { readonly name: string }).name };
}

describe("many enterprise connections", () => {
  let data: CountingAdapter;
  let federation: Federation;

  beforeEach(async () => {
    data = countingAdapter(createMemoryAdapter({ strict: true }));
    federation = await openFederation({ data });
  });

  test("add no statements to a login, whether or not the login uses one of them", async () => {
    const { service } = federation;
    const costs = async (): Promise<unknown[]> => {
      const runs = [
        () => sendAuthorization(service.browser(), service.web),
        () => sendAuthorization(service.browser(), service.web, { connection: "corp-7" }),
        () => submitIdentifier(federation, email("ann")),
        () => submitIdentifier(federation, "ann@elsewhere.example"),
      ];
      const all: unknown[] = [];
      for (const run of runs) {
        service.clock.advance(10_000);
        await data.costOf(run);
        service.clock.advance(10_000);
        all.push((await data.costOf(run)).statements);
      }
      return all;
    };
    await addProviders(service, 10);
    const few = await costs();
    for (let n = 10; n < 200; n++) {
      const body = { name: `corp-${n}`, strategy: "oidc", options: { ...options, domain_aliases: [`corp-${n}.example`] } };
      await service.manage.create("/api/v2/connections", body);
    }
    expect(await costs()).toEqual(few);
    expect(JSON.stringify(few)).toContain("connection_domains.find");
  });

  test("are not listed on login pages; a connection name, an email domain or a session selects one", async () => {
    const { service } = federation;
    await addProviders(service, 30);
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, service.web));
    const { screen } = await getFlow(browser, state);
    expect(screen).toMatchObject({ name: "identifier" });
    expect(screen).not.toHaveProperty("providers");
    expect((await submitIdentifier(federation, email("ann"))).to?.origin).toBe(new URL(upstreamIssuer).origin);
    expect(await submitIdentifier(federation, "ann@corp-99.example")).toEqual({ step: "password" });
    const result = await sendAuthorization(browser, service.web, { connection: "corp-9" });
    expect((await getFlow(browser, loginState(result)))["screen"]).toMatchObject({ name: "provider", provider: { connection: "corp-9" } });
    expect(await sendAuthorization(browser, service.web, { connection: "corp-99" })).toMatchObject({
      kind: "response",
      parameters: { error: "invalid_request" },
    });
  });

  test("are listed as twenty buttons if the client has no other connection", async () => {
    const { service } = federation;
    const ids = await addProviders(service, 25);
    await service.manage("PATCH", `/api/v2/clients/${service.web.clientId}/connections`, ids);
    const browser = service.browser();
    const { screen } = await getFlow(browser, loginState(await sendAuthorization(browser, service.web)));
    const { providers } = screen as { readonly providers: readonly { readonly connection: string }[] };
    expect(providers.map(({ connection }) => connection)).toEqual(Array.from({ length: 20 }, (_, n) => `corp-${n}`));
  });

  test("are not selected for a client for which they are not enabled", async () => {
    const { service } = federation;
    const body = { name: "corp-7", strategy: "oidc", options: { ...options, domain_aliases: ["corp-7.example"] } };
    await service.manage.create("/api/v2/connections", body);
    expect(await submitIdentifier(federation, email("ann"))).toEqual({ step: "password" });
    expect((await sendAuthorization(service.browser(), service.web, { connection: "corp-7" })).kind).toBe("response");
  });
});

describe("the domains of a connection", () => {
  let federation: Federation;
  let id: string;

  beforeEach(async () => {
    federation = await openFederation();
    const own = { show_as_button: false, options: { domain_aliases: ["Corp-7.example"] } };
    id = stringMember(await federation.connect(own), "id");
  });

  const change = (more: object): Promise<unknown> =>
    federation.service.manage("PATCH", `/api/v2/connections/${id}`, {
      options: { ...options, client_id: federation.client.clientId, ...more },
    });

  test("are those of its current options", async () => {
    expect((await submitIdentifier(federation, email("ann"))).to).toBeDefined();
    await change({ domain_aliases: ["other.example"] });
    expect(await submitIdentifier(federation, email("ann"))).toEqual({ step: "password" });
    expect((await submitIdentifier(federation, "ann@OTHER.example")).to).toBeDefined();
    await change({});
    expect(await submitIdentifier(federation, "ann@other.example")).toEqual({ step: "password" });
    await change({ domain_aliases: ["corp-7.example"] });
    expect((await submitIdentifier(federation, email("ann"))).to).toBeDefined();
  });

  test("are deleted with the connection", async () => {
    const { service } = federation;
    expect((await service.manage("DELETE", `/api/v2/connections/${id}`)).status).toBe(204);
    expect(await service.data.collections.connection_domains.find({ where: { tenant_id: "main" }, limit: 9 })).toEqual([]);
    expect(await submitIdentifier(federation, email("ann"))).toEqual({ step: "password" });
  });

  test("belong to one tenant, and select nothing in another", async () => {
    const { service } = federation;
    await service.postern.seed({ tenantId: "other", clients: [] });
    const path = `/.well-known/webfinger?${new URLSearchParams({ resource: "acct:ann@corp-7.example" })}`;
    expect((await service.call("GET", path)).status).toBe(200);
    expect((await service.call("GET", path, { headers: { "tenant-id": "other" } })).status).toBe(404);
  });

  test("match the options of the connection after a crash during a change to them", async () => {
    const inner = createMemoryAdapter({ strict: true });
    let dies = false;
    const collections = {
      ...inner.collections,
      connections: {
        ...inner.collections.connections,
        update: async (...sent: Parameters<typeof inner.collections.connections.update>) => {
          if (dies) throw new Error("lost");
          return inner.collections.connections.update(...sent);
        },
      },
    };
    federation = await openFederation({ data: { ...inner, collections }, logger: { log: () => {} } });
    id = stringMember(await federation.connect({ options: { domain_aliases: ["corp-7.example"] } }), "id");
    dies = true;
    expect(await change({ domain_aliases: ["later.example"] })).toMatchObject({ status: 500 });
    dies = false;
    expect((await submitIdentifier(federation, email("ann"))).to).toBeDefined();
    expect(await submitIdentifier(federation, "ann@later.example")).toEqual({ step: "password" });
    await change({ domain_aliases: ["later.example"] });
    expect((await submitIdentifier(federation, "ann@later.example")).to).toBeDefined();
  });

  test("a session of a hidden connection stays valid until the connection is disabled for the client", async () => {
    const { service, provider } = federation;
    const ann = await provider.addUser(email("ann"));
    const browser = service.browser();
    const result = await sendAuthorization(browser, service.web);
    const state = loginState(result);
    const providerBrowser = await submitStep(browser, state, { action: "continue", identifier: ann.email });
    const back = await returnFromProvider(
      browser,
      await submitProviderSignIn(federation, stringMember(providerBrowser, "redirect_to"), ann),
    );
    expect(back.kind).toBe("response");
    expect((await sendAuthorization(browser, service.web)).kind).toBe("response");
    await service.manage("PATCH", `/api/v2/connections/${id}/clients`, [{ client_id: service.web.clientId, status: false }]);
    expect((await sendAuthorization(browser, service.web)).kind).toBe("login");
  });

  test("rejects a login at an open page after the connection was disabled", async () => {
    const { service, provider } = federation;
    const ann = await provider.addUser(email("ann"));
    await signInWithProvider(federation, ann);
    const browser = service.browser();
    const left = await goToProvider(federation, browser, service.web);
    await service.manage("PATCH", `/api/v2/connections/${id}/clients`, [{ client_id: service.web.clientId, status: false }]);
    const back = await returnFromProvider(browser, await submitProviderSignIn(federation, left, ann));
    expect(back).toMatchObject({ kind: "login" });
    const repeated = await sendStep(browser, loginState(back), { action: "continue-with", connection: "fieldnotes" });
    expect(await repeated.json()).not.toHaveProperty("redirect_to");
  });
});
