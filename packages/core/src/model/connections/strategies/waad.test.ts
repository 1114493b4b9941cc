import { describe, expect, test } from "vitest";
import { waad } from "./waad.ts";

const directory = "0b1f6b1e-5d3b-4d5a-9d3a-2f1f5f0e9a11";
const consumers = "9188040d-6c67-4c5b-b112-36a304b66dad";
const trust = { should_trust_email_verified_connection: "always_set_emails_as_verified" };
const claims = { oid: "690222be-ff1a-4d56-abd1-7e4f7d38e474", email: "victim@gmail.com", sub: "s" };

/** Directories in which anyone can have an account, and values that are neither an id nor a domain name. */
const open = [
  ...[
    "common",
    "organizations",
    "consumers",
    "Common",
    "ORGANIZATIONS",
    " common",
    "common.",
    "contoso",
    "contoso.example/common",
    consumers,
    consumers.toUpperCase(),
  ].map((tenant_domain) => ({ tenant_domain })),
  { tenantId: "common" },
  { tenantId: consumers, tenant_domain: "contoso.example" },
  { tenantId: directory, useCommonEndpoint: true },
];

const single = [
  { tenantId: directory },
  { tenantId: directory.toUpperCase() },
  { tenant_domain: "contoso.example" },
  { tenant_domain: "Contoso.onmicrosoft.com" },
];

describe("email addresses of Microsoft Entra ID", () => {
  test.each(open)("from %j are not trusted at login, and the setting that would trust them is rejected", (options) => {
    const { read } = waad.describe({ ...options, ...trust });
    for (const tid of [directory, consumers]) expect(read({ ...claims, tid })).toMatchObject({ emailVerified: false });
    const message = waad.options.safeParse({ ...options, ...trust }).error?.issues[0];
    expect(message).toMatchObject({
      path: ["should_trust_email_verified_connection"],
      message: expect.stringContaining("one directory") as string,
    });
    expect(waad.options.safeParse(options).success).toBe(true);
    expect(waad.options.safeParse({ ...options, should_trust_email_verified_connection: "never_set_emails_as_verified" }).success).toBe(
      true,
    );
  });

  test.each(single)("from the single directory %j are trusted if the connection trusts them", (options) => {
    expect(waad.options.safeParse({ ...options, ...trust }).success).toBe(true);
    expect(waad.describe({ ...options, ...trust }).read({ ...claims, tid: directory })).toMatchObject({ emailVerified: true });
    expect(waad.describe(options).read({ ...claims, tid: directory })).toMatchObject({ emailVerified: false });
  });

  test("of personal accounts are not trusted, even if the options of the connection contain a domain", () => {
    const { read } = waad.describe({ tenant_domain: "live.com", ...trust });
    expect(read({ ...claims, tid: consumers })).toMatchObject({ emailVerified: false });
    expect(read({ ...claims, tid: consumers.toUpperCase() })).toMatchObject({ emailVerified: false });
  });

  test("may be trusted by a connection that inherits its directory", () => {
    expect(waad.options.safeParse(trust).success).toBe(true);
  });
});

test("a directory ID in capital letters identifies the same directory", () => {
  const { place, issuerOf } = waad.describe({ tenantId: directory.toUpperCase() });
  expect(place).toMatchObject({ issuer: `https://login.microsoftonline.com/${directory}/v2.0` });
  expect(issuerOf).toBeUndefined();
});
