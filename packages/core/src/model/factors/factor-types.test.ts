import { expect, test } from "vitest";
import {
  factorTypeSchema,
  fromApiFactorType,
  fromTenantFactor,
  tenantFactorSchema,
  toApiFactorType,
  toTenantFactor,
  unsupportedFactors,
} from "./factor-types.ts";

test("each factor type has a name in the Authentication API that leads back to it", () => {
  for (const type of factorTypeSchema.options) expect(fromApiFactorType(toApiFactorType(type))).toBe(type);
  expect(toApiFactorType("totp")).toBe("otp");
  expect(fromApiFactorType("push-notification")).toBeUndefined();
});

test("each factor of a tenant has a factor type, or cannot be enabled", () => {
  for (const factor of tenantFactorSchema.options) {
    const type = fromTenantFactor(factor);
    if (type === undefined) expect(unsupportedFactors).toContain(factor);
    else expect(toTenantFactor(type)).toBe(factor);
  }
  expect(fromTenantFactor("sms")).toBe("phone");
  expect(toTenantFactor("passkey")).toBeUndefined();
});
