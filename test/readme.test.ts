import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { strategies } from "../packages/core/src/model/connections/strategies.ts";
import { authRoutes } from "../packages/core/src/server/auth-routes.ts";
import { managementRoutes } from "../packages/core/src/management/routes.ts";
import { unsupportedFactors } from "../packages/core/src/model/factors/factor-types.ts";
import { optionsSchema } from "../packages/core/src/setup/options-schema.ts";
import { createTestPostern } from "./support/postern.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

test("the README lists as 'not yet' what the code does not serve, and nothing else", async () => {
  const service = await createTestPostern();
  const { body } = await service.call("GET", "/.well-known/openid-configuration");
  const discovery = JSON.stringify(body);
  const paths = [...authRoutes, ...managementRoutes].map(({ definition }) => definition.path);
  const hasPath = (part: string): boolean => paths.some((path) => path.includes(part));
  const served: { readonly [feature: string]: boolean } = {
    passkeys: hasPath("/passkey/"),
    "multi-factor authentication": hasPath("/mfa/"),
    "token exchange": discovery.includes("token-exchange"),
    "log streams": hasPath("/log-streams"),
    organizations: hasPath("/organizations"),
    SAML: hasPath("/samlp") || strategies["samlp"]?.kind !== "stored-only",
    "WS-Federation": hasPath("/wsfed"),
    "device flow": hasPath("/oauth/device") || discovery.includes("device_code"),
    "dynamic client registration": hasPath("/oidc/register") || discovery.includes("registration_endpoint"),
    "pushed authorization requests": hasPath("/oauth/par") || discovery.includes("pushed_authorization_request_endpoint"),
    DPoP: discovery.includes("dpop_signing_alg_values_supported"),
    "push notifications": !unsupportedFactors.includes("push-notification"),
    SCIM: hasPath("scim"),
    metrics: Object.hasOwn(optionsSchema.shape, "telemetry"),
  };
  const [, row = ""] = /^\| not yet \| (.*) \|$/m.exec(readme) ?? [];
  const [features = ""] = row.split("; ");
  expect(features.split(", ").toSorted()).toEqual(
    Object.keys(served)
      .filter((feature) => !served[feature])
      .toSorted(),
  );
  expect(service.faults).toEqual([]);
});

test("the README's commands end in `postern init`", () => {
  const blocks = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = ""]) => commands.trim().split("\n"));
  expect(blocks).toEqual([[expect.stringContaining("tarballs"), expect.stringContaining("npm install"), "npx postern init"]]);
});
