import type { DataAdapter } from "@postern/core/adapter";
import { beforeAll, expect, test } from "vitest";
import { createProver, type Prover } from "../dpop/prover.ts";
import { fakeHasher, openService, sendTokenRequest, type LoginService } from "./flow.ts";
import { clientSecret, createTestPostern, managementAudience, type TestPostern } from "./postern.ts";

/** Adds the tests for parallel uses of a DPoP proof, through two services on one store, for any store. */
export function testProofRaces(open: () => Promise<DataAdapter>): void {
  let service: LoginService;
  let second: TestPostern;
  let prover: Prover;

  beforeAll(async () => {
    const data = await open();
    service = await openService({ data });
    second = await createTestPostern({ data, testing: { clock: service.clock }, crypto: { hasher: fakeHasher } });
    prover = await createProver(service);
  });

  test("of thirty-two parallel requests with one DPoP proof, one succeeds", async () => {
    const dpop = await prover.prove("POST", "/oauth/token");
    const body = { grant_type: "client_credentials", client_id: "main-manager", client_secret: clientSecret, audience: managementAudience };
    const responses = await Promise.all(
      Array.from({ length: 32 }, (_, i) => sendTokenRequest(i % 2 === 0 ? service : second, body, { dpop })),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 31 }, () => 400)]);
  });
}
