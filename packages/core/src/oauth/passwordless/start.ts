import * as z from "zod";
import { PosternError, isPosternError } from "../../errors.ts";
import { tenantFlags } from "../../model/tenant/flags.ts";
import { resolveApi } from "../../authorization/resolve-api.ts";
import { requestedAudience } from "../../authorization/requested-audience.ts";
import { readRemembered } from "../../login/cookies.ts";
import { sendLoginCode } from "../../login/send-code.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { runAuthorizationChecks } from "../authorize/checks/table.ts";
import type { Checked } from "../authorize/checks/check.ts";
import { namedClient, readClientCredentials } from "../client-authentication.ts";
import { forwardedTenant } from "../../tenants/callers/forwarded-for.ts";
import { authParamsSchema, type AuthParams, toStoredAuthParams } from "./auth-params.ts";
import { requestedLanguages } from "./requested-languages.ts";
import { namedAddress, placeFields, type NamedAddress } from "./place.ts";
import { verifyLink } from "./verify-link.ts";

const startRequestSchema = z
  .object({
    ...placeFields,
    client_secret: z.string().exactOptional().meta({ description: "If it is sent, it must be correct" }),
    client_assertion: z.string().exactOptional(),
    client_assertion_type: z.string().exactOptional(),
    send: z.enum(["code", "link"]).exactOptional().meta({
      description:
        "Default by email: the link with the code, or only the code if the parameters are not valid for a link. By SMS: always the code",
    }),
    authParams: authParamsSchema.exactOptional(),
  })
  .meta({ id: "PasswordlessStartRequest" });

/** The response. It does not reveal whether an account has the email address or phone number. */
const startReplySchema = z
  .strictObject({
    _id: z
      .string()
      .meta({ description: "A pseudonym of the email address or phone number: the same in each response, even if no account exists" }),
    email: z.string().exactOptional(),
    email_verified: z.literal(false).exactOptional(),
    phone_number: z.string().exactOptional(),
    phone_verified: z.literal(false).exactOptional(),
  })
  .meta({ id: "PasswordlessStartReply" });

/** Sends a code or a link to sign in with. Scripts of the named client can read the response (CORS). */
export const passwordlessStart = route({
  method: "POST",
  path: "/passwordless/start",
  summary: "Send a code or a link to sign in with",
  scopes: "public",
  cors: "client",
  tenantHints: ["client_id"],
  bodyKind: "json-or-form",
  body: startRequestSchema,
  failureEvent: () => "f",
  responses: {
    200: startReplySchema,
    400: { error: "bad.connection, bad.email, bad.phone_number, invalid_request, access_denied" },
    401: { error: "invalid_client" },
    429: { error: "TOO_MANY_REQUESTS, with Retry-After: too many codes were requested for the email address or phone number" },
  },
})(async ({ body, request }, { tenant }) => {
  const { enforce_client_authentication_on_passwordless_start: authenticates } = tenantFlags(tenant.record);
  const client = await namedClient(tenant, request, body, authenticates);
  const { authParams: sent = {}, send } = body;
  const organization = sent.organization === undefined ? undefined : await tenant.organization(sent.organization);
  if (sent.organization !== undefined && organization === undefined)
    throw new PosternError("invalid_request", "'authParams.organization' is unknown");
  const place = await namedAddress(tenant, client, body, organization?.id);
  const { connection, address } = place;
  await resolveApi(tenant, await requestedAudience(tenant, sent));
  const clientId = client.record.client_id;
  const hasLink = address.channel === "email" && send !== "code" && (await isValidLink(tenant, clientId, sent, send === "link"));
  await sendLoginCode(forwardedTenant(tenant, request, client, readClientCredentials(request, body)), {
    client,
    connection,
    address,
    marks: readRemembered(tenant, request).accounts,
    request: toStoredAuthParams(sent),
    uiLocales: requestedLanguages(request) ?? sent.ui_locales,
    linkOnly: hasLink && send === "link",
    ...(hasLink && { link: (created) => verifyLink(tenant, { clientId, connection: connection.name, address, ...created }) }),
  });
  const _id = await pseudonym(tenant, place);
  const { text } = address;
  return address.channel === "email"
    ? { _id, email: text, email_verified: false as const }
    : { _id, phone_number: text, phone_verified: false as const };
});

/**
 * Whether `/authorize` would accept a link with these parameters. An error is reported here, to the developer, instead
 * of later to the user who opens the link.
 * @param isRequired whether the client requested an email with only the link, without a code.
 * @throws {PosternError} the error of the first invalid parameter, if `isRequired` is true.
 */
async function isValidLink(tenant: RequestTenant, clientId: string, sent: AuthParams, isRequired: boolean): Promise<boolean> {
  const checked: Checked = { tenant, sent: { response_type: "code", ...sent, client_id: clientId }, malformed: new Map(), request: {} };
  try {
    await runAuthorizationChecks("/passwordless/start", checked);
    return true;
  } catch (thrown) {
    if (isRequired || !isPosternError(thrown)) throw thrown;
    return false;
  }
}

/**
 * Returns a pseudonym of an email address or phone number, for the member in which Auth0 returns the ID of an account.
 */
function pseudonym(tenant: RequestTenant, { connection, address }: NamedAddress): Promise<string> {
  return tenant.secrets.fingerprints.of("address of a code", tenant.id, connection.id, address.text);
}
