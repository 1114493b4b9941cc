import type { UpstreamDetails } from "../../model/connections/upstream-details.ts";
import { unidentifiedUser } from "../../identity/providers/upstream-error.ts";
import { connectionChecks, type ConnectionCheck, type ConnectionCheckName } from "../../model/connections/connection-tests.ts";
import { missingAttributes } from "../../model/connections/strategies/oidc.ts";
import { expectsIdToken, objectIn, type ProviderDescription, type UpstreamProfile } from "../../model/connections/strategies/provider.ts";
import { createsUsersAtLogin, upstreamStrategy } from "../../model/connections/upstream.ts";
import type { Row } from "../../store/schema.ts";
import { isObject, type JsonObject } from "../../store/value.ts";

type Connection = Row<"connections">;

/** Why a sign-in at a provider failed. */
interface Failure {
  readonly message: string;
  readonly details?: UpstreamDetails | undefined;
}

/** Returns the checks of a sign-in that failed: those before the failed one passed, those after it did not run. */
export function checksOfFailure(connection: Connection, failure: Failure): readonly ConnectionCheck[] {
  const failed = failedCheck(failure);
  const names = checksOf(connection);
  const place = connectionChecks.indexOf(failed);
  return connectionChecks.flatMap((name, index): ConnectionCheck[] => {
    if (name === failed) return [{ name, status: "failed", message: failure.message }];
    return names.has(name) ? [{ name, status: index < place ? "passed" : "not_run" }] : [];
  });
}

/** Returns the checks of a sign-in that succeeded. */
export function checksOfSuccess(connection: Connection, profile: UpstreamProfile, claims: JsonObject): readonly ConnectionCheck[] {
  const names = checksOf(connection);
  const warnings = warningsOf(connection, profile, claims);
  return connectionChecks.flatMap((name): ConnectionCheck[] => {
    if (!names.has(name)) return [];
    const message = warnings[name];
    return [message === undefined ? { name, status: "passed" } : { name, status: "warning", message }];
  });
}

/** Returns the checks that apply to the provider of a connection. */
function checksOf(connection: Connection): ReadonlySet<ConnectionCheckName> {
  const { options } = connection;
  const description = upstreamStrategy(connection)?.describe(options);
  const usesIdToken = description !== undefined && expectsIdToken(description);
  const absent = new Set<ConnectionCheckName>([
    ...(isDiscovered(description) ? [] : (["metadata"] as const)),
    ...(usesIdToken ? [] : (["algorithm", "lifetime", "issuer", "audience", "nonce", "signature"] as const)),
    ...(description?.nonce === false ? (["nonce"] as const) : []),
    ...((description?.fetchesUserinfo ?? !usesIdToken) ? [] : (["userinfo"] as const)),
    ...(Object.keys(attributesOf(options)).length > 0 ? [] : (["mapping"] as const)),
  ]);
  return new Set(connectionChecks.filter((name) => !absent.has(name)));
}

function isDiscovered(description: ProviderDescription | undefined): boolean {
  return description?.place !== undefined && "discover" in description.place;
}

function attributesOf({ attribute_map: map }: JsonObject): JsonObject {
  return isObject(map) ? objectIn(map, "attributes") : {};
}

/** The checks by the claim of an ID token, in the order in which they fail. */
const checksByClaim: { readonly [claim: string]: ConnectionCheckName } = {
  alg: "algorithm",
  exp: "lifetime",
  iat: "lifetime",
  nbf: "lifetime",
  auth_time: "lifetime",
  iss: "issuer",
  aud: "audience",
  azp: "audience",
  nonce: "nonce",
  kid: "signature",
  sub: "subject",
};

const checksByStep: { readonly [Step in UpstreamDetails["step"]]: ConnectionCheckName } = {
  discovery: "metadata",
  "authorization request": "configuration",
  "authorization response": "response",
  token: "token",
  id_token: "signature",
  jwks: "signature",
  userinfo: "userinfo",
};

function failedCheck({ message, details }: Failure): ConnectionCheckName {
  if (details === undefined) return "configuration";
  if (message.includes(unidentifiedUser)) return "subject";
  // The message names a claim that is missing.
  const claim = details.claim ?? /"(\w+)" \([\w ]+\) claim/.exec(message)?.[1] ?? "";
  const ofToken = details.step === "id_token" && Object.hasOwn(checksByClaim, claim) ? checksByClaim[claim] : undefined;
  return ofToken ?? checksByStep[details.step];
}

/** Returns why users get less than the provider could give, by the check. */
function warningsOf(
  connection: Connection,
  { email, emailVerified, emailOwned }: UpstreamProfile,
  claims: JsonObject,
): Partial<Record<ConnectionCheckName, string>> {
  const missing = missingAttributes(attributesOf(connection.options), claims);
  return {
    ...(missing.length > 0 && { mapping: `The provider did not send the claims that 'attribute_map' names for: ${missing.join(", ")}` }),
    ...(email === undefined && { email: "The provider sent no email address that an account can store" }),
    ...(!emailVerified && { email_verified: "The email address counts as not verified" }),
    ...(!emailOwned && {
      email_authority:
        "The provider is not authoritative for the email address, so an existing account with the address is linked only after its user confirms it",
    }),
    ...(!createsUsersAtLogin(connection) && { sign_up: "The connection does not create users at their first sign-in" }),
  };
}
