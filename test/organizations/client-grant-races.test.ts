import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { decisiveMomentsOf } from "../servers/support/around-writes.ts";
import { pausingAdapter, type PausingAdapter } from "../servers/support/pausing-adapter.ts";
import { managerOf, stringMember } from "../support/api.ts";
import { sampled } from "../support/nightly.ts";
import { createTestPostern, type ApiResponse, type TestPostern } from "../support/postern.ts";

/** A client grant, and an organization that it can be added to. */
interface Scene {
  readonly data: PausingAdapter;
  readonly service: TestPostern;
  readonly token: string;
  readonly paths: { readonly [what: string]: string };
  readonly grant: string;
}

async function openScene(): Promise<Scene> {
  const data = pausingAdapter(createMemoryAdapter({ strict: true }));
  const service = await createTestPostern({ data });
  const manage = await managerOf(service);
  const audience = "https://api.example.test/";
  const made = async (path: string, body: object, id = "id"): Promise<string> =>
    stringMember(await manage.create(`/api/v2/${path}`, body), id);
  const organization = await made("organizations", { name: "acme" });
  const api = await made("resource-servers", { identifier: audience });
  const client = await made("clients", { name: "Robot", app_type: "non_interactive" }, "client_id");
  const grant = await made("client-grants", { client_id: client, audience, scope: [] });
  const paths = {
    "an organization": `/api/v2/organizations/${organization}`,
    "a client grant": `/api/v2/client-grants/${grant}`,
    "a client": `/api/v2/clients/${client}`,
    "an API": `/api/v2/resource-servers/${api}`,
  };
  return { data, service, token: await service.token(), paths, grant };
}

type Act = (scene: Scene) => Promise<ApiResponse>;

const addGrant: Act = ({ service, token, paths, grant }) =>
  service.call("POST", `${paths["an organization"] ?? ""}/client-grants`, { token, body: { grant_id: grant } });

test.each(["an organization", "a client grant", "a client", "an API"])(
  "deleting %s in parallel to adding the client grant leaves no association, at each interleaving of their writes",
  { timeout: 60_000 },
  async (what) => {
    const remove: Act = ({ service, token, paths }) => service.call("DELETE", paths[what] ?? "", { token });
    for (const [paused, parallel] of [
      [addGrant, remove],
      [remove, addGrant],
    ] as const) {
      const known = await openScene();
      for (const at of sampled("pauses", decisiveMomentsOf(await known.data.writesOf(() => paused(known))))) {
        const scene = await openScene();
        const responses = await scene.data.interleave(
          at,
          () => paused(scene),
          () => parallel(scene),
        );
        for (const { status, body } of responses) expect([201, 204, 404], JSON.stringify(body)).toContain(status);
        expect(await scene.data.collections.organization_client_grants.count({ tenant_id: "main" })).toBe(0);
      }
    }
  },
);
