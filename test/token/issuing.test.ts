import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const source = new URL("../../packages/core/src/", import.meta.url);

/** Returns the source files with this text. */
function filesWith(text: string): readonly string[] {
  return readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .filter((file) => readFileSync(new URL(file, source), "utf8").includes(text))
    .toSorted();
}

/** A file that signs or stores a token of its own would skip the audit event, or a change to every token. */
test("issues codes and tokens only in one folder", () => {
  const folder = "authorization/issue-tokens/";
  // A logout token is signed when it is sent, and gives no access.
  const logoutTokens = "tenants/logouts/logout-source.ts";
  // A signed response is no token: it gives no access, and nothing accepts it.
  const signedResponses = "oauth/userinfo.ts";
  expect(filesWith("signJwt(")).toEqual([
    `${folder}sign-access-token.ts`,
    `${folder}sign-id-token.ts`,
    signedResponses,
    logoutTokens,
    "tokens/sign.ts",
  ]);
  expect(filesWith("authorization_codes.insert(")).toEqual([`${folder}issue-code.ts`]);
  const refresh = "tokens/refresh-tokens/";
  expect(filesWith("mintRefreshToken(")).toEqual([`${folder}issue-refresh-token.ts`, `${refresh}refresh-token.ts`, `${refresh}rotate.ts`]);
  expect(filesWith("await rotate(tenant")).toEqual([`${folder}issue-refresh-token.ts`]);
});
