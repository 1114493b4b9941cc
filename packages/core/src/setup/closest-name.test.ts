import { expect, test } from "vitest";
import { closestName } from "./closest-name.ts";

const names = ["issuer", "data", "trustedProxies", "logger", "logs", "messages"];

test.each([
  ["isuer", "issuer"],
  ["trustedProxy", "trustedProxies"],
  ["TRUSTEDPROXIES", "trustedProxies"],
  ["log", "logs"],
  ["mesages", "messages"],
])("finds the option name that '%s' is a typo of", (text, name) => {
  expect(closestName(text, names)).toBe(name);
});

test.each(["", "x", "colour", "database", "proxies"])("finds no option name that is similar to '%s'", (text) => {
  expect(closestName(text, names)).toBeUndefined();
});
