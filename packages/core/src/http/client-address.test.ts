import { describe, expect, test } from "vitest";
import { createTrustedProxies } from "./client-address.ts";

const proxies = createTrustedProxies(["10.0.0.0/8"]);
const host = (peer: string | undefined, forwardedHost: string | null, forwardedFor: string | null = null): string | undefined => {
  const headers = new Headers();
  if (forwardedHost !== null) headers.set("x-forwarded-host", forwardedHost);
  if (forwardedFor !== null) headers.set("x-forwarded-for", forwardedFor);
  return proxies.forwardedHost(peer, headers);
};

describe("the requested host", () => {
  test("is the entry that the only proxy wrote, not an earlier entry", () => {
    expect(host("10.0.0.1", "login.example.com", "192.0.2.1")).toBe("login.example.com");
    expect(host("10.0.0.1", "evil.example, login.example.com", "192.0.2.1")).toBe("login.example.com");
    expect(host("10.0.0.1", "evil.example, login.example.com")).toBe("login.example.com");
    expect(host("10.0.0.1", "evil.example,login.example.com", "10.9.9.9, 192.0.2.1")).toBe("login.example.com");
  });

  test("is the entry that the outermost trusted proxy wrote", () => {
    expect(host("10.0.0.1", "login.example.com, inner", "192.0.2.1, 10.0.0.2")).toBe("login.example.com");
    expect(host("10.0.0.1", "evil.example, login.example.com, inner", "192.0.2.1, 10.0.0.2")).toBe("login.example.com");
    expect(host("10.0.0.1", "evil.example, login.example.com, a, b", "10.0.0.9, 192.0.2.1, 10.0.0.3, 10.0.0.2")).toBe("login.example.com");
    // The inner proxy forwards the header unchanged.
    expect(host("10.0.0.1", "login.example.com", "192.0.2.1, 10.0.0.2")).toBe("login.example.com");
  });

  test("is undefined if no trusted proxy wrote an entry", () => {
    expect(host("192.0.2.1", "login.example.com")).toBeUndefined();
    expect(host(undefined, "login.example.com")).toBeUndefined();
    expect(host("10.0.0.1", null)).toBeUndefined();
    expect(host("10.0.0.1", "")).toBeUndefined();
  });
});
