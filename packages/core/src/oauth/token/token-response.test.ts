import { expect, test } from "vitest";
import { tokenResponse } from "./token-response.ts";

test("serializes the members of a token response in a fixed order", () => {
  const issued = {
    access: { token: "a", type: "Bearer" as const, expiresIn: 60 },
    idToken: "i",
    refreshToken: "r",
    scope: ["openid", "email"],
  };
  expect(JSON.stringify(tokenResponse(issued, "urn:ietf:params:oauth:token-type:access_token"))).toBe(
    '{"access_token":"a","issued_token_type":"urn:ietf:params:oauth:token-type:access_token","token_type":"Bearer","expires_in":60,"id_token":"i","refresh_token":"r","scope":"openid email"}',
  );
});

test("omits undefined members and an empty scope from a token response", () => {
  const issued = { access: { token: "a", type: "Bearer" as const, expiresIn: 60 }, idToken: undefined, refreshToken: undefined, scope: [] };
  expect(tokenResponse(issued)).toStrictEqual({ access_token: "a", token_type: "Bearer", expires_in: 60 });
});
