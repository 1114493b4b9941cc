import * as z from "zod";
import { codeChannels } from "../../identity/login/code-address.ts";
import { PosternError } from "../../errors.ts";
import { readRemembered } from "../../login/cookies.ts";
import { sendLoginCode } from "../../login/send-code.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { namedClient, readClientCredentials } from "../client-authentication.ts";
import { forwardedTenant } from "../../tenants/callers/forwarded-for.ts";
import { placeFields, readAddressForChannel } from "../passwordless/place.ts";
import { requestedLanguages } from "../passwordless/requested-languages.ts";
import { sealAuthSession } from "./auth-session.ts";

const challengeRequestSchema = z
  .object({
    ...placeFields,
    connection: z
      .string()
      .min(1)
      .max(128)
      .meta({ description: "The name of a connection that sends codes, such as a password database with `email_otp`" }),
    client_secret: z.string().exactOptional().meta({ description: "If it is sent, it must be correct" }),
    client_assertion: z.string().exactOptional(),
    client_assertion_type: z.string().exactOptional(),
    delivery_method: z.literal("text", { error: "must be text" }).exactOptional(),
  })
  .meta({ id: "OtpChallengeRequest" });

/**
 * Sends a code for an account in a password database. The code is valid only with the `auth_session` in the response.
 * Scripts of the named client can read the response (CORS).
 */
export const otpChallenge = route({
  method: "POST",
  path: "/otp/challenge",
  summary: "Send a code for an account of a password database",
  scopes: "public",
  cors: "client",
  tenantHints: ["client_id"],
  bodyKind: "json-or-form",
  body: challengeRequestSchema,
  failureEvent: () => "f",
  responses: {
    200: z.strictObject({ auth_session: z.string() }).meta({ id: "OtpChallengeReply" }),
    400: { error: "invalid_request" },
    401: { error: "invalid_client" },
    429: { error: "TOO_MANY_REQUESTS, with Retry-After: too many codes were requested for the email address or phone number" },
  },
})(async ({ body, request }, { tenant }) => {
  const client = await namedClient(tenant, request, body);
  const connection = await tenant.connections.offeredNamed(client, body.connection);
  if (connection === undefined || codeChannels(connection).length === 0)
    throw new PosternError("invalid_request", "'connection' must be a connection that sends codes and is enabled for this client");
  const address = await readAddressForChannel(connection, body);
  if ("fault" in address) throw new PosternError("invalid_request", address.fault);
  const loginId = tenant.random.token(24);
  await sendLoginCode(forwardedTenant(tenant, request, client, readClientCredentials(request, body)), {
    client,
    connection,
    address,
    loginId,
    marks: readRemembered(tenant, request).accounts,
    uiLocales: requestedLanguages(request),
  });
  return { auth_session: await sealAuthSession(tenant, client, { loginId, connection, address }) };
});
