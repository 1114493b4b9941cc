import { describe, expect, test } from "vitest";
import { createUrls } from "../../http/urls.ts";
import { findRelyingParty, relatedOrigins, withNativeApps, type RelyingPartyDomain } from "./relying-party.ts";

const domain = (name: string, relyingPartyIdentifier?: string): RelyingPartyDomain => ({ domain: name, relyingPartyIdentifier });
const find = (issuer: string, ...domains: readonly RelyingPartyDomain[]) => findRelyingParty(createUrls(issuer), domains);

test.each([
  ["https://id.example.com/auth/", "id.example.com", "https://id.example.com"],
  ["https://id.example.com:8443/", "id.example.com", "https://id.example.com:8443"],
  ["https://acme.tenants.example.com/", "acme.tenants.example.com", "https://acme.tenants.example.com"],
  ["http://localhost:3000/", "localhost", "http://localhost:3000"],
  ["http://acme.localhost:3000/", "acme.localhost", "http://acme.localhost:3000"],
])("the RP ID of %s is the full host name without the port", (issuer, rpId, origin) => {
  expect(find(issuer)).toEqual({ rpId, origins: [origin] });
});

test.each(["https://127.0.0.1/", "https://192.0.2.1:8443/", "https://[::1]/", "http://127.0.0.1:3000/", "http://id.example.com/"])(
  "%s has no relying party",
  (issuer) => {
    expect(find(issuer)).toBeUndefined();
  },
);

describe("a custom domain", () => {
  test("is its own RP ID and accepts no other domain by default", () => {
    expect(find("https://login.one.example/", domain("login.one.example"), domain("login.two.example"))).toEqual({
      rpId: "login.one.example",
      origins: ["https://login.one.example"],
    });
  });

  test("shares the RP ID with domains that have the same relying_party_identifier", () => {
    const domains = [domain("a.brand.example", "brand.example"), domain("b.brand.example", "brand.example"), domain("c.brand.example")];
    expect(find("https://b.brand.example/", ...domains)).toEqual({
      rpId: "brand.example",
      origins: ["https://b.brand.example", "https://a.brand.example"],
    });
    expect(find("https://c.brand.example/", ...domains)?.rpId).toBe("c.brand.example");
  });

  test("accepts the domains that name it as their RP ID as related origins", () => {
    const domains = [domain("login.one.example"), domain("login.two.example", "login.one.example")];
    const origins = ["https://login.one.example", "https://login.two.example"];
    expect(find("https://login.one.example/", ...domains)).toEqual({ rpId: "login.one.example", origins });
    expect(find("https://login.two.example/", ...domains)).toEqual({ rpId: "login.one.example", origins: origins.toReversed() });
  });

  test.each(["other.example", "rand.example", "login.brand.example.com", "x.login.brand.example"])(
    "ignores the RP ID %s, which is no suffix of a domain of the tenant",
    (rpId) => {
      expect(find("https://login.brand.example/", domain("login.brand.example", rpId))?.rpId).toBe("login.brand.example");
    },
  );

  test("does not change the relying party of the configured issuer", () => {
    expect(find("https://id.example.com/", domain("login.one.example"))).toEqual({
      rpId: "id.example.com",
      origins: ["https://id.example.com"],
    });
  });
});

test("native apps send the RP ID or the hash of their certificate as the origin", () => {
  const fingerprint = Array.from({ length: 32 }, () => "FF").join(":");
  const party = { rpId: "brand.example", origins: ["https://login.brand.example"] };
  expect(withNativeApps(party, [fingerprint, "FF:FF", ""]).origins).toEqual([
    "https://login.brand.example",
    "https://brand.example",
    `android:apk-key-hash:${"_".repeat(42)}8`,
  ]);
});

describe("the related origins of a host", () => {
  const related = (host: string, ...domains: readonly RelyingPartyDomain[]) => relatedOrigins({ host }, domains);
  const two = domain("login.two.example", "login.one.example");

  test("are the other domains whose RP ID it is", () => {
    const domains = [domain("login.one.example"), two, domain("login.three.example"), domain("a.login.one.example", "login.one.example")];
    expect(related("login.one.example", ...domains)).toEqual(["https://login.two.example", "https://a.login.one.example"]);
    expect(related("login.three.example", ...domains)).toEqual([]);
  });

  test("are empty if the host has another RP ID, or is not a domain of the tenant", () => {
    expect(related("login.two.example", domain("login.one.example"), two)).toEqual([]);
    expect(related("login.one.example", two, domain("login.one.example", "login.two.example"))).toEqual([]);
    expect(related("id.example.com", two)).toEqual([]);
    expect(related("one.example", domain("login.one.example", "one.example"), domain("login.two.example", "one.example"))).toEqual([]);
  });
});
