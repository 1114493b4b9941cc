import { expect, test } from "vitest";
import { jsonBody, list, stringMember } from "../support/api.ts";
import { openService, type LoginService } from "../support/flow.ts";
import { initialAccessToken, setOpenRegistration } from "../support/registration.ts";

/** Findings about clients that can register themselves, but cannot do anything. */
async function findingsOf({ postern }: LoginService): Promise<readonly string[]> {
  const fetch = (request: Request) => postern.fetch(request);
  return (await postern.doctor({ fetch })).filter(({ message }) => message.includes("register themselves")).map(({ message }) => message);
}

const problems = [
  expect.stringContaining("no connection has 'is_domain_connection'"),
  expect.stringContaining("no client grant is for them"),
];

test("reports that clients can register themselves, but cannot sign users in or get scopes", async () => {
  const service = await openService();
  expect(await findingsOf(service)).toEqual([]);
  await setOpenRegistration(service, true);
  expect(await findingsOf(service)).toEqual(problems);

  const [connection] = list(await service.manage("GET", "/api/v2/connections?strategy=auth0"));
  jsonBody(await service.manage("PATCH", `/api/v2/connections/${stringMember(connection ?? {}, "id")}`, { is_domain_connection: true }));
  expect(await findingsOf(service)).toEqual([problems[1]]);
  const identifier = "https://tools.example.test";
  await service.manage.create("/api/v2/resource-servers", { name: "Tools", identifier, scopes: [{ value: "read:tools" }] });
  await service.manage.create("/api/v2/client-grants", { default_for: "third_party_clients", audience: identifier, scope: ["read:tools"] });
  expect(await findingsOf(service)).toEqual([]);
});

test("reports it for metadata documents and while an initial access token is live", async () => {
  const service = await openService();
  jsonBody(await service.manage("PATCH", "/api/v2/tenants/settings", { client_id_metadata_document_supported: true }));
  expect(await findingsOf(service)).toEqual(problems);
  jsonBody(await service.manage("PATCH", "/api/v2/tenants/settings", { client_id_metadata_document_supported: false }));
  await initialAccessToken(service, { expires_in: 60 });
  expect(await findingsOf(service)).toEqual(problems);
  service.clock.advance("61s");
  expect(await findingsOf(service)).toEqual([]);
});
