import * as z from "zod";
import { flagKind } from "./kinds.ts";
import type { JsonObject } from "../../../store/value.ts";
import { metadataSchema } from "../../fields.ts";
import { assignedDomains, isAuthoritativeFor } from "./email-authority.ts";
import { readClaims, scopeOf, textIn } from "./provider.ts";
import { mustNotNameUser, withoutUser } from "../../secret-destinations.ts";
import { storedOnlyFields } from "../../settings.ts";
import { microsoftMark } from "./microsoft-mark.ts";
import { queryCallback } from "./query-callback.ts";
import type { IdentityProviderStrategy } from "./strategy.ts";
import { upstream, upstreamBody, upstreamInheritance } from "./upstream.ts";

const options = {
  ...upstream,
  ...storedOnlyFields({
    app_domain: z.string().max(255),
    app_id: z.string().max(500),
    identity_api: z.enum(["microsoft-identity-platform-v2.0", "azure-active-directory-v1.0"]),
    max_groups_to_retrieve: z.string().regex(/^[0-9]{0,10}$/, "must be a whole number"),
    waad_protocol: z.enum(["ws-federation", "openid-connect"]),
  }),
  should_trust_email_verified_connection: z.enum(["never_set_emails_as_verified", "always_set_emails_as_verified"]),
  tenant_domain: z.string().max(512).regex(withoutUser, mustNotNameUser),
  tenantId: z.string().max(36),
  useCommonEndpoint: flagKind,
  userid_attribute: z.enum(["oid", "sub"]),
};

/** Matches the ID of a directory, as it appears in issuers. */
const directoryId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Matches a domain name. A domain name identifies the one directory that has verified it. */
const domainName = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])$/;

/** The directory that contains all personal accounts. */
export const consumersDirectory = "9188040d-6c67-4c5b-b112-36a304b66dad";

/**
 * Returns the directory in the options, in lower case as in issuers, or undefined if the options do not contain one.
 * `common`, `organizations` and `consumers` stand for many directories.
 */
function directoryOf(given: JsonObject): string | undefined {
  if (given["useCommonEndpoint"] === true) return "common";
  return (textIn(given, "tenantId") ?? textIn(given, "tenant_domain"))?.toLowerCase();
}

/**
 * Returns `true` if a directory belongs to one organization, whose administrator is responsible for the email addresses
 * in it. In all other directories, anyone can open an account.
 */
function isOneDirectory(directory: string): boolean {
  return directory !== consumersDirectory && (directoryId.test(directory) || domainName.test(directory));
}

function trustsAddresses(given: JsonObject): boolean {
  return given["should_trust_email_verified_connection"] === "always_set_emails_as_verified";
}

/**
 * Email addresses can be trusted only if the connection is limited to one directory. A connection without a directory
 * is accepted, because it may inherit one.
 */
const body = upstreamBody(options).superRefine((given, context) => {
  const settings = metadataSchema.safeParse(given).data ?? {};
  const directory = directoryOf(settings);
  if (!trustsAddresses(settings) || directory === undefined || isOneDirectory(directory)) return;
  const message =
    "must not be always_set_emails_as_verified unless tenantId or tenant_domain names one directory, by its id or by its domain: anyone can open an account in 'common', 'organizations' and 'consumers'";
  context.addIssue({ code: "custom", path: ["should_trust_email_verified_connection"], message });
});

/**
 * Microsoft Entra ID. The IDs of the directory and of the object identify a user. The email address does not identify a
 * user: the administrator of a directory sets it, and anyone can create a directory. The address counts as verified
 * only if the connection is limited to one directory and trusts the addresses in it.
 */
export const waad: IdentityProviderStrategy = {
  kind: "enterprise",
  title: "Microsoft Entra ID",
  label: "Microsoft",
  mark: microsoftMark,
  options: body,
  inheritance: {
    ...upstreamInheritance,
    preferences: [
      ...upstreamInheritance.preferences,
      "max_groups_to_retrieve",
      "userid_attribute",
      "should_trust_email_verified_connection",
    ],
    selectingFlags: ["useCommonEndpoint"],
  },
  // The options that determine the directory whose users can sign in.
  destination: ["tenant_domain", "tenantId", "useCommonEndpoint"],
  callback: queryCallback,
  describe: (given) => {
    const directory = directoryOf(given);
    const base = `https://login.microsoftonline.com/${encodeURIComponent(directory ?? "")}`;
    const issuer = (id: string): string => `https://login.microsoftonline.com/${id}/v2.0`;
    const trusted = trustsAddresses(given) && directory !== undefined && isOneDirectory(directory);
    return {
      place:
        directory === undefined
          ? undefined
          : {
              issuer: issuer(directory),
              authorizationEndpoint: `${base}/oauth2/v2.0/authorize`,
              tokenEndpoint: `${base}/oauth2/v2.0/token`,
              jwksUri: `${base}/discovery/v2.0/keys`,
            },
      scope: scopeOf(given, ["openid"], ["profile", "email"]),
      authentication: "client_secret_post",
      fetchesUserinfo: false,
      ...((directory === undefined || !directoryId.test(directory)) && {
        issuerOf: (claims) => issuer(directoryId.exec(textIn(claims, "tid") ?? "")?.[0] ?? "unknown"),
      }),
      read: (claims) => {
        const profile = readClaims(claims, (email) => isAuthoritativeFor(email, assignedDomains(given)));
        const tid = textIn(claims, "tid");
        const id = textIn(claims, given["userid_attribute"] === "sub" ? "sub" : "oid");
        if (profile === undefined || tid === undefined || id === undefined) return undefined;
        // Some domain names, such as live.com, identify the directory of personal accounts.
        const emailVerified = trusted && tid.toLowerCase() !== consumersDirectory && profile.email !== undefined;
        return { ...profile, subject: `${tid}.${id}`, emailVerified };
      },
    };
  },
};
