import { callerOfTest, connectionTestLifetime, sealTest } from "../../authorization/connection-tests/sealed-test.ts";
import { finishTest } from "../../authorization/connection-tests/finish-test.ts";
import { testPath } from "../../authorization/connection-tests/state.ts";
import { isReturnUrl } from "../../authorization/return-url.ts";
import { PosternError } from "../../errors.ts";
import { passedStrategy } from "../../identity/providers/passed-strategy.ts";
import {
  connectionTestResultSchema,
  finishConnectionTestSchema,
  startConnectionTestSchema,
  startedConnectionTestSchema,
} from "../../model/connections/connection-tests.ts";
import { upstreamStrategy } from "../../model/connections/upstream.ts";
import type { Row } from "../../store/schema.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

const path = "/api/v2/connections/:id/test";
const shared = {
  method: "POST",
  scopes: ["update:connections"],
} as const;

const start = route({
  ...shared,
  path,
  summary: "Start a test sign-in at the identity provider of a connection",
  description:
    "Open `url` in the browser of the user that the token was issued for. The user signs in at the provider, and the browser returns to `return_url` with the parameter `response`. " +
    "The test ends after ten minutes. It stores no account, no session and no login.",
  body: startConnectionTestSchema,
  responses: { 200: startedConnectionTestSchema, 404: "inexistent_connection" },
})(async ({ params, body }, { tenant, caller }) => {
  const testCaller = callerOfTest(caller);
  const connection = await readProvider(tenant, params.id);
  const { return_url: returnUrl } = body;
  if (!isReturnUrl(await tenant.callerClient(caller), returnUrl))
    throw new PosternError("invalid_request", "'return_url' must have the origin of one of the client's callback URLs");
  const expiresAt = tenant.now() + connectionTestLifetime;
  const test = {
    id: tenant.random.token(24),
    connection_id: connection.id,
    caller: testCaller,
    return_url: returnUrl,
    expires_at: expiresAt,
  };
  const url = new URL(tenant.urls.urlFor(testPath));
  url.searchParams.set("test", await sealTest(tenant, test));
  return { url: url.href, expires_at: new Date(expiresAt).toISOString() };
});

const finish = route({
  ...shared,
  path: `${path}/result`,
  summary: "Get the result of a test sign-in",
  description:
    "Redeems the provider's code, and returns each check, the claims that the provider sent, and the user that a first sign-in would create. " +
    "Never returns a token. Only the user and the session that started the test get its result, once.",
  body: finishConnectionTestSchema,
  responses: {
    200: connectionTestResultSchema,
    404: "inexistent_connection",
    409: { error: "the result of the test was already requested" },
  },
})(async ({ params, body }, { tenant, caller }) => {
  const testCaller = callerOfTest(caller);
  return finishTest(tenant, testCaller, await readProvider(tenant, params.id), body.response);
});

/** The routes of a test sign-in at an identity provider. A Postern extension. */
export const connectionTestRoutes = [start, finish];

/** @throws {PosternError} `not_found`, or `operation_not_supported` if users do not sign in at a provider. */
async function readProvider(tenant: RequestTenant, id: string): Promise<Row<"connections">> {
  const connection = await tenant.connections.byId(id);
  if (connection === undefined) throw new PosternError("not_found", "there is no such connection", { errorCode: "inexistent_connection" });
  if (upstreamStrategy(connection) !== undefined) return connection;
  if (passedStrategy(tenant, connection) !== undefined)
    throw new PosternError("invalid_request", "a strategy of the host cannot be tested: sign in with an app instead", {
      errorCode: "operation_not_supported",
    });
  throw new PosternError("invalid_request", "users of this connection do not sign in at an identity provider", {
    errorCode: "operation_not_supported",
  });
}
