import { expect, test } from "vitest";
import { createAddressRanges, isAddressRange, normalizeAddress } from "./addresses.ts";

test("address ranges contain IPv4 and IPv6 addresses in every spelling", () => {
  const ranges = createAddressRanges(["10.0.0.0/8", "192.0.2.7", "2001:db8::/32", "::ffff:198.51.100.0/120"]);
  for (const inside of ["10.255.0.1", "192.0.2.7", "::ffff:192.0.2.7", "2001:DB8::1", "2001:0db8:0::1", "198.51.100.9"]) {
    expect(ranges.includes(inside), inside).toBe(true);
  }
  for (const outside of ["11.0.0.1", "192.0.2.8", "2001:db9::1", "198.51.101.9", "", "nonsense", "10.0.0.1/8"]) {
    expect(ranges.includes(outside), outside).toBe(false);
  }
});

test("an empty list of ranges contains no address", () => {
  expect(createAddressRanges([]).includes("127.0.0.1")).toBe(false);
});

test.each(["", "10.1", "0x7f.1", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/8/8", "example.com", "10.0.0.256"])(
  "rejects %j as an address range",
  (text) => {
    expect(isAddressRange(text)).toBe(false);
    expect(() => createAddressRanges([text])).toThrow();
  },
);

test("normalizes each address to one spelling", () => {
  expect(normalizeAddress("::FFFF:192.0.2.1")).toBe("192.0.2.1");
  expect(normalizeAddress("2001:DB8:0:0::1")).toBe("2001:db8::1");
  expect(normalizeAddress("unix:")).toBeUndefined();
});

test.each([
  ["198.51.100.7:51234", "198.51.100.7"],
  ["[2001:DB8::7]:443", "2001:db8::7"],
  ["[2001:db8::7]", "2001:db8::7"],
  ["[::ffff:198.51.100.7]:80", "198.51.100.7"],
  ["::1:80", "::1:80"],
  ["2001:db8::7:443", "2001:db8::7:443"],
])("reads %s as %s, without a port", (text, address) => {
  expect(normalizeAddress(text)).toBe(address);
});

test.each([
  "[198.51.100.7]",
  "[198.51.100.7]:80",
  "198.51.100.7:",
  "198.51.100.7:x",
  "198.51.100.7:123456",
  "1:80",
  "[::1",
  "::1]",
  "[]:80",
  "unknown",
  "",
])("does not read %j as an address", (text) => {
  expect(normalizeAddress(text)).toBeUndefined();
});
