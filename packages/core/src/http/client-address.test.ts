import { describe, expect, test } from "vitest";
import { createTrustedProxies } from "./client-address.ts";

const proxies = createTrustedProxies(["10.0.0.0/8"]);
const host = (peer: string | undefined, forwardedHost: string | null, forwardedFor: string | null = null): string | undefined => {
  const headers = new Headers();
  if (forwardedHost !== null) headers.set("x-forwarded-host", forwardedHost);
  if (forwardedFor !== null) headers.set("x-forwarded-for", forwardedFor);
  return proxies.forwardedHost(peer, headers);
};

describe("the client's address", () => {
  test.each([
    ["192.0.2.1:51234", "192.0.2.1"],
    ["[2001:db8::7]:443", "2001:db8::7"],
    ["[2001:db8::7], 10.0.0.2:8080", "2001:db8::7"],
    ["203.0.113.9, 192.0.2.1:1, 10.0.0.3:80, 10.0.0.2", "192.0.2.1"],
    ["192.0.2.1, unknown", undefined],
    ["10.0.0.2", undefined],
  ])("is read from X-Forwarded-For %j without its port", (header, address) => {
    for (const peer of ["10.0.0.1", "10.0.0.1:4711", "[::ffff:10.0.0.1]:4711"])
      expect(proxies.clientAddress(peer, new Headers({ "x-forwarded-for": header }))).toBe(address);
  });

  test("is reported as unreadable if a trusted proxy wrote an entry that is not an IP address", () => {
    const isUnreadable = (peer: string, header: string) => proxies.hasUnreadableEntry(peer, new Headers({ "x-forwarded-for": header }));
    expect(isUnreadable("10.0.0.1", "192.0.2.1, unknown")).toBe(true);
    expect(isUnreadable("10.0.0.1", "unknown, 10.0.0.2")).toBe(true);
    expect(isUnreadable("10.0.0.1", "unknown, 192.0.2.1:80, 10.0.0.2")).toBe(false);
    expect(isUnreadable("10.0.0.1", "10.0.0.2")).toBe(false);
    expect(isUnreadable("192.0.2.1", "unknown")).toBe(false);
  });
});

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
    expect(host("10.0.0.1", "login.example.com, inner", "192.0.2.1:51234, 10.0.0.2:8080")).toBe("login.example.com");
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
