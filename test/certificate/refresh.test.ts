import { beforeAll, expect, test } from "vitest";
import { expectError, jsonBody } from "../support/api.ts";
import { refreshGrant } from "../support/flow.ts";
import { complete, openCertificateWorld, verifyIdToken, wait, type CertificateWorld } from "./world.ts";

let world: CertificateWorld;
beforeAll(async () => {
  world = await openCertificateWorld();
});

test("oidcc-refresh-token: new tokens keep iss, sub, aud and auth_time, and another client gets nothing", async () => {
  const { exchanged, idTokens } = await complete(world, { response_type: "code" }, { scope: "openid offline_access", prompt: "consent" });
  const refresh = exchanged?.refresh ?? "";
  // VSCHAR (RFC 6749 appendix A), and at least 128 bits in base64url.
  expect(refresh).toMatch(/^[\x20-\x7e]{22,}$/);
  wait(world, 2);
  const response = await world.exchange(refreshGrant(world.first, refresh));
  expect(response.headers.get("cache-control")).toContain("no-store");
  expect(response.headers.get("pragma")).toBe("no-cache");
  const body = jsonBody(response);
  expect(String(body["token_type"]).toLowerCase()).toBe("bearer");
  expect(body["access_token"]).not.toBe(exchanged?.access);
  const renewed = await verifyIdToken(world, String(body["id_token"]), undefined);
  const [first] = idTokens;
  const kept = ({ iss, sub, aud, auth_time }: typeof renewed) => ({ iss, sub, aud, auth_time });
  expect(kept(renewed)).toEqual(first && kept(first));
  expect(renewed.iat).toBeGreaterThan(first?.iat ?? 0);
});

test("oidcc-refresh-token: the token of one client used by another is 400 invalid_grant", async () => {
  const { exchanged } = await complete(world, { response_type: "code" }, { scope: "openid offline_access", prompt: "consent" });
  expectError(await world.exchange(refreshGrant(world.second, exchanged?.refresh ?? "")), 400, "invalid_grant");
});
