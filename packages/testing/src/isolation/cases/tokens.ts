import { describeResponse } from "../comparison.ts";
import type { IsolationDefinition, Fixture } from "../definition.ts";
import type { ApiOperation } from "../document.ts";
import { parametersOf } from "../records.ts";
import { createAccessToken } from "../browser-flows.ts";

/**
 * Returns a case for each operation of the Management API that requires a token. The stranger tenant must reject a
 * token from the owner tenant.
 */
export function tokenCases(operations: readonly ApiOperation[]): readonly IsolationDefinition[] {
  return operations.map((operation) => ({
    name: `token: ${operation.title}`,
    run: async (fixture) => replayToken(operation, fixture, await fixture.owner.token()),
  }));
}

/** Returns a case for each operation of the Auth API that accepts a user's access token. */
export function userTokenCases(operations: readonly ApiOperation[]): readonly IsolationDefinition[] {
  return operations
    .filter(({ schemes }) => schemes.includes("bearer"))
    .map((operation) => ({
      name: `token: ${operation.title}`,
      run: async (fixture) => replayToken(operation, fixture, await createAccessToken(fixture.owner)),
    }));
}

/** Returns a case for each operation of the My Account API, with a user's token for that API and its scope. */
export function myAccountTokenCases(operations: readonly ApiOperation[]): readonly IsolationDefinition[] {
  return operations.map((operation) => ({
    name: `token: ${operation.title}`,
    run: async (fixture) => {
      const { owner } = fixture;
      const target = { audience: new URL("me/", owner.issuer).href, scope: ["openid", ...operation.scopes].join(" ") };
      await replayToken(operation, fixture, await createAccessToken(owner, target));
    },
  }));
}

async function replayToken(
  { method, path, body }: ApiOperation,
  { owner, stranger, strangerRecords }: Fixture,
  token: string,
): Promise<void> {
  const named = parametersOf(path);
  const ids =
    named.length === 0 || path.startsWith("/api/v2/") ? await strangerRecords.fill(path) : path.replaceAll(/\{\w+\}/g, stranger.id);
  const never = path.replaceAll(/\{\w+\}/g, "never-made");
  const send = async (at: string, headers: { readonly [name: string]: string } = {}): Promise<string> => {
    const response = await stranger.call(method, at, {
      token,
      headers,
      ...(body?.types.includes("application/json") === true ? { body: {} } : body !== undefined && { form: {} }),
    });
    if (response.status !== 401 && response.status !== 403)
      throw new Error(
        `a token of '${owner.id}' at '${stranger.id}' must be rejected with 401 or 403, got ${describeResponse(response, at)}`,
      );
    return describeResponse(response, at);
  };
  const known = await send(ids);
  if (named.length > 0) expectSame(known, await send(never));
  // The response must not reveal whether the tenant that the header names exists.
  if (stranger.isSelectedByHeader) expectSame(known, await send(ids, { "tenant-id": "never-made" }));
}

function expectSame(known: string, unknown: string): void {
  if (known !== unknown) throw new Error(`response for an existing id: ${known}\nresponse for an unknown id: ${unknown}`);
}
