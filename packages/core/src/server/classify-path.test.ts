import { expect, test } from "vitest";
import { classifyPath } from "./classify-path.ts";

test.each([
  ["/api/v2/users", "management", "management"],
  ["/api/v2", "management", "management"],
  ["/api/v2x", "auth", "oauth"],
  ["/tenants/a", "management", "management"],
  ["/operations/op_a", "management", "management"],
  ["/oauth/token", "auth", "oauth"],
  ["/u/login/identifier", "auth", "page"],
  ["/u/no-such-page", "auth", "page"],
  ["/u/flow", "auth", "oauth"],
  ["/u/flow/state", "auth", "oauth"],
  ["/u/flows", "auth", "page"],
  ["/u", "auth", "oauth"],
])("%s belongs to the %s API, and its errors have the %s format", (path, api, errorFormat) => {
  expect(classifyPath({ method: "GET", pathname: path }, "/")).toEqual({ path, api, errorFormat });
  expect(classifyPath({ method: "GET", pathname: `/base${path}` }, "/base/")).toEqual({ path, api, errorFormat });
});

test("rejects a path outside the base path", () => {
  for (const path of ["/", "/base", "/other/oauth/token"])
    expect(() => classifyPath({ method: "GET", pathname: path }, "/base/")).toThrow(
      expect.objectContaining({ code: "not_found", message: expect.stringContaining(`GET ${path} is not served`) }),
    );
});
