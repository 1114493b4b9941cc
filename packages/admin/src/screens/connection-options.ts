import { consoleTexts } from "../console-texts.ts";
import type { FormField } from "./form-fields.ts";

const texts = consoleTexts.connections;

const clientId: FormField = { name: "options.client_id", label: texts.clientId, hint: texts.clientIdHint, kind: "line" };
const clientSecret: FormField = { name: "options.client_secret", label: texts.clientSecret, hint: texts.secretHint, kind: "secret" };
const issuer: FormField = { name: "options.issuer", label: texts.issuer, hint: texts.issuerHint, kind: "line" };
const domain: FormField = { name: "options.domain", label: texts.oktaDomain, hint: texts.oktaDomainHint, kind: "line" };
const directory: FormField = { name: "options.tenant_domain", label: texts.directory, hint: texts.directoryHint, kind: "line" };
const line = (name: string, label: string): FormField => ({ name: `options.${name}`, label, kind: "line" });

const social = [clientId, clientSecret];

/** The settings of each strategy that a new connection needs, or that operators change later. */
const fieldsOfStrategy: { readonly [strategy: string]: readonly FormField[] } = {
  auth0: [
    { name: "options.disable_signup", label: texts.disableSignup, hint: texts.disableSignupHint, kind: "switch" },
    {
      name: "options.passwordPolicy",
      label: texts.passwordPolicy,
      hint: texts.passwordPolicyHint,
      kind: "choice",
      options: Object.entries(texts.passwordPolicies),
    },
  ],
  email: [{ name: "options.disable_signup", label: texts.disableSignup, hint: texts.disableSignupHint, kind: "switch" }],
  sms: [{ name: "options.disable_signup", label: texts.disableSignup, hint: texts.disableSignupHint, kind: "switch" }],
  "google-oauth2": social,
  github: social,
  facebook: social,
  linkedin: social,
  windowslive: social,
  apple: [
    clientId,
    line("team_id", texts.teamId),
    line("kid", texts.keyId),
    { name: "options.app_secret", label: texts.appleKey, hint: texts.secretHint, kind: "secret-lines" },
  ],
  waad: [directory, clientId, clientSecret],
  oidc: [issuer, clientId, clientSecret],
  okta: [domain, clientId, clientSecret],
  oauth2: [
    line("authorizationURL", texts.authorizationUrl),
    line("tokenURL", texts.tokenUrl),
    line("userinfo_endpoint", texts.userinfoUrl),
    clientId,
    clientSecret,
  ],
};

/** Returns the fields of a strategy. Other settings are changed with the Management API. */
export function strategyFields(strategy: string): readonly FormField[] {
  return Object.hasOwn(fieldsOfStrategy, strategy) ? (fieldsOfStrategy[strategy] ?? []) : [];
}
