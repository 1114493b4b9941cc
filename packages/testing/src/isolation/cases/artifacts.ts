import { startComparison } from "../comparison.ts";
import type { IsolationDefinition, Fixture } from "../definition.ts";
import { createAccessToken } from "../browser-flows.ts";
import type { ApiOperation } from "../document.ts";
import { createAttacker, replayArtifact, type Artifact } from "../replay-artifact.ts";
import { artifacts, type OwnedArtifact } from "../artifacts.ts";

/**
 * Returns a case for each kind of artifact. It sends the artifact in every text parameter and body member of the Auth
 * API.
 */
export const artifactCases: readonly IsolationDefinition[] = Object.entries(artifacts).map(([name, make]) => ({
  name: `${name}: in every text field of the Auth API`,
  run: async (fixture) => replay(await make(fixture), fixture),
}));

/**
 * Returns a case for each kind of artifact. It sends the artifact in every path parameter, text parameter and body member of
 * the My Account API, with a token of a user of the stranger tenant.
 */
export function myAccountArtifactCases(operations: readonly ApiOperation[]): readonly IsolationDefinition[] {
  const scopes = [...new Set(operations.flatMap((operation) => operation.scopes))];
  return Object.entries(artifacts).map(([name, make]) => ({
    name: `${name}: in every text field of the My Account API`,
    run: async (fixture) => {
      const { artifact, email, check } = await make(fixture);
      const target = { audience: new URL("me/", fixture.stranger.issuer).href, scope: ["openid", ...scopes].join(" ") };
      const attacker = { ...(await createAttacker(fixture, email)), token: await createAccessToken(fixture.stranger, target) };
      const comparison = startComparison(fixture, email);
      for (const operation of operations) await replayArtifact(operation, attacker, comparison, artifact);
      comparison.assertNoDifference();
      await check();
    },
  }));
}

async function replay({ artifact, email, check }: OwnedArtifact, fixture: Fixture): Promise<void> {
  const comparison = startComparison(fixture, email);
  const attacker = await createAttacker(fixture, email);
  const replayed = withStrangerCookieNames(artifact, fixture);
  for (const operation of fixture.auth.operations) await replayArtifact(operation, attacker, comparison, replayed);
  comparison.assertNoDifference();
  // The artifact must still be valid in its own tenant after the attempts.
  await check();
}

/**
 * Returns the artifact with additional cookies. Cookie names contain the tenant id, so each cookie is copied to the
 * name that the stranger tenant uses.
 */
function withStrangerCookieNames(artifact: Artifact, { owner, stranger }: Fixture): Artifact {
  if (artifact.cookies === undefined) return artifact;
  const copies = [...artifact.cookies].map(([name, value]) => [name.replace(owner.id, stranger.id), value] as const);
  return { ...artifact, cookies: new Map([...artifact.cookies, ...copies]) };
}
