import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { examples, runTypeScript } from "./support/guides.ts";
import { serve, type ServedPostern } from "./support/http.ts";

let service: ServedPostern;
beforeAll(async () => {
  service = await serve();
});
afterAll(() => service.close());

test("docs/terraform.md prepares a tenant in which Terraform can manage the clients of a new connection", async () => {
  vi.stubEnv("TERRAFORM_SECRET", "a-secret-that-openssl-printed-0123456789");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { clients, connections } = service.postern.tenant("main");
  for (const code of examples("terraform", "Prepare the tenant", "ts")) await runTypeScript(code, { postern: service.postern });
  const { client_id: web } = await clients.create({ name: "Web", app_type: "regular_web" });
  const staff = await connections.create({ name: "staff", strategy: "auth0" });
  const offering = async () => (await connections.clients.list(staff.id)).clients.map((one) => one.client_id);
  // The provider refuses a connection that has clients already.
  expect(await offering()).toEqual([]);
  await connections.clients.update(staff.id, [{ client_id: web, status: true }]);
  expect(await offering()).toEqual([web]);
  expect((await clients.connections.list(web)).connections.map(({ name }) => name)).toEqual(["staff"]);
});
