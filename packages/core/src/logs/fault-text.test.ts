import { expect, test } from "vitest";
import { createOutboundFetch, ForbiddenAddressError } from "../adapters/network.ts";
import { faultText } from "./fault-text.ts";

test.each([
  ["connect ECONNREFUSED 10.0.0.5:443", "connect ECONNREFUSED [private address]:443"],
  ["connect ECONNREFUSED ::1:443", "connect ECONNREFUSED [private address]"],
  ["connect EHOSTUNREACH fd00::7:443 - Local (fd00::1:5000)", "connect EHOSTUNREACH [private address] - Local ([private address])"],
  ["no route to [fe80::1]:443", "no route to [[private address]]:443"],
  ["::ffff:192.168.1.1 does not answer", "[private address] does not answer"],
  ["100.64.0.1, 169.254.169.254", "[private address], [private address]"],
  ["connect ECONNREFUSED 192.0.32.7:443", "connect ECONNREFUSED 192.0.32.7:443"],
  ["2001:4860:4860::8888 at 12:30:45", "2001:4860:4860::8888 at 12:30:45"],
  ["POST https://user:pass@siem.example/in?token=x failed", "POST https://[left out]@siem.example/in?[left out] failed"],
])("removes private IP addresses and secrets in URLs from '%s'", (message, shown) => {
  expect(faultText(new Error(message))).toBe(shown);
});

test("describes that an IP address is not allowed, without the IP address", async () => {
  const error: unknown = await createOutboundFetch()(new Request("https://localhost/")).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ForbiddenAddressError);
  expect(String(error)).toMatch(/127\.0\.0\.1|::1/);
  expect(faultText(error)).toBe("'localhost' has an address that is not public. 'network.allowedPrivateAddresses' allows single addresses");
  expect(faultText(new Error("the request failed", { cause: error }))).toBe(faultText(error));
});

test("describes an error with its causes, in at most 500 characters", () => {
  expect(faultText(new Error("a", { cause: new Error("b", { cause: new Error("10.0.0.1") }) }))).toBe("a: b: [private address]");
  expect(faultText("x".repeat(1000))).toHaveLength(500);
});
