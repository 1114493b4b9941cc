import { jsonBody, stringMember, type Manager } from "../support/api.ts";
import { managementAudience, type TestPostern } from "../support/postern.ts";

/** Creates a client with only these scopes. @returns its access token for the Management API. */
export async function tokenWith({ call }: TestPostern, manage: Manager, scope: readonly string[]): Promise<string> {
  const client = await manage.create("/api/v2/clients", { name: "Narrow", app_type: "non_interactive" });
  const id = stringMember(client, "client_id");
  await manage.create("/api/v2/client-grants", { client_id: id, audience: managementAudience, scope });
  const answer = await call("POST", "/oauth/token", {
    body: {
      grant_type: "client_credentials",
      client_id: id,
      client_secret: stringMember(client, "client_secret"),
      audience: managementAudience,
    },
  });
  return stringMember(jsonBody(answer), "access_token");
}
