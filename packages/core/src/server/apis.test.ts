import { expect, test } from "vitest";
import { managementErrors, oauthErrors } from "../http/error-body.ts";
import { findApiOfPath } from "./api.ts";
import { apis } from "./apis.ts";
import { pathBelowBase } from "./path-below-base.ts";

const errorFormats = { management: managementErrors, oauth: oauthErrors, page: "page" } as const;

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
] as const)("%s belongs to the %s API, and its errors have the %s format", (path, document, errorFormat) => {
  for (const below of [
    pathBelowBase({ method: "GET", pathname: path }, "/"),
    pathBelowBase({ method: "GET", pathname: `/base${path}` }, "/base/"),
  ]) {
    expect(below).toBe(path);
    const api = findApiOfPath(apis, below);
    expect(api.document).toBe(document);
    expect(api.pages?.test(below) === true ? "page" : api.errorFormat).toBe(errorFormats[errorFormat]);
  }
});

test("rejects a path outside the base path", () => {
  for (const path of ["/", "/base", "/other/oauth/token"])
    expect(() => pathBelowBase({ method: "GET", pathname: path }, "/base/")).toThrow(
      expect.objectContaining({ code: "not_found", message: expect.stringContaining(`GET ${path} is not served`) }),
    );
});
