import type { HttpResponse } from "../response.ts";
import { startComparison } from "../comparison.ts";
import { NotApplicableToService, type IsolationDefinition, type Fixture } from "../definition.ts";
import { members, type ApiOperation } from "../document.ts";
import { recordsOf } from "../records.ts";
import type { ConnectedTenant } from "../tenant-access.ts";

/** Returns a case for each list that is paged with a cursor. */
export function cursorCases(operations: readonly ApiOperation[]): readonly IsolationDefinition[] {
  return operations
    .filter(({ method, parameters }) => method === "GET" && parameters.some(({ name }) => name === "from"))
    .map((operation) => ({ name: `cursor: ${operation.title}`, run: (fixture) => replayCursor(operation, fixture) }));
}

async function replayCursor({ path }: ApiOperation, fixture: Fixture): Promise<void> {
  const { owner, stranger, management, ownerRecords, strangerRecords } = fixture;
  const from = async (tenant: ConnectedTenant, at: string, cursor?: string): Promise<HttpResponse> =>
    tenant.manage("GET", `${at}?${new URLSearchParams({ take: "1", ...(cursor !== undefined && { from: cursor }) })}`);
  const list = await ownerRecords.fill(path);
  // Creates two items, so that the list has a second page.
  for (const records of [ownerRecords, recordsOf(owner, management)])
    await records.id(`${path.replaceAll(/\{\w+\}/g, "{}")}/{}`).catch(() => {});
  const { next } = members((await from(owner, list)).body);
  if (typeof next !== "string") throw new NotApplicableToService("the list returns no cursor, or is too short");
  const comparison = startComparison(fixture);
  const at = await strangerRecords.fill(path);
  await comparison.compare("the cursor", [next], async (cursor) => {
    const response = await from(stranger, at, cursor);
    if (response.status !== 400)
      throw new Error(`a cursor from '${owner.id}' must be rejected with 400, got ${response.status} ${JSON.stringify(response.body)}`);
    return response;
  });
  comparison.assertNoDifference();
  const { status } = await from(owner, list, next);
  if (status !== 200) throw new Error(`the cursor no longer works in its own tenant: ${status}`);
}
