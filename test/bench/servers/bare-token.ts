import type { BareGrant, BareRoute } from "../operation.ts";
import type { BareTools } from "./bare-tools.ts";

/** The token endpoint of `bare`: verifies the client's secret, then runs the grant. */
export function bareToken({ facts, hash, send }: BareTools, grants: readonly BareGrant[]): BareRoute {
  const secretHash = hash(facts.secret);
  const byType = new Map(grants.map((grant) => [grant.type, grant]));
  return {
    route: "POST /oauth/token",
    async handle(request, response, text) {
      // Every parameter of these requests is text.
      const parameters = (text.startsWith("{") ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text))) as {
        readonly [name: string]: string;
      };
      if (hash(parameters["client_secret"] ?? "") !== secretHash) return send(response, 401, "{}");
      const answer = await byType.get(parameters["grant_type"] ?? "")?.exchange(request, parameters);
      send(response, answer === undefined ? 400 : 200, JSON.stringify(answer ?? {}));
    },
  };
}
