import { canHaveRecoveryCode } from "../../../identity/factors/recovery-code.ts";
import { trustedBrowsersOf } from "../../../identity/factors/trusted-browser.ts";
import { credentialSchema, webauthnTypes } from "../../../identity/webauthn/credential.ts";
import type { Factor } from "../../../identity/factors/factors.ts";
import { acceptedCredentials } from "../../../login/accepted-credentials.ts";
import { multifactorSettings } from "../../../model/factors/multifactor.ts";
import { trustLifetimesOf } from "../../../authorization/step-up/situation.ts";
import { nameOf } from "../../../login/steps/name-of.ts";
import type { Translate } from "../../../locales/translate.ts";
import { offeredTypes } from "./offered-types.ts";
import { factorLabel, factorTypeLabel } from "./factor-label.ts";
import { drawSecurity, type ListedFactor } from "./pages/security.tsx";
import { problemNamed, sectionPage, sectionUrl, type AccountState } from "../section-page.tsx";
import type { AccountVisit } from "../visit.ts";

const changes = ["added", "removed", "renamed", "forgotten"] as const;

/** Returns the page that lists the user's factors and remembered browsers. */
export async function overviewPage(visit: AccountVisit, { done, problem }: AccountState): Promise<Response> {
  const { tenant, user, factors, permission } = visit;
  const listed = factors.filter(({ type }) => type !== "recovery-code");
  const lifetimes = trustLifetimesOf(tenant);
  const browsers = lifetimes && (await trustedBrowsersOf(tenant, user.user_id, lifetimes));
  const canAdd = (await offeredTypes(visit)).length > 0;
  const accepted = await acceptedCredentials(tenant, user, factors);
  return sectionPage(
    visit,
    {},
    {
      name: "account-security",
      hasExits: true,
      draw: (drawing) =>
        drawSecurity(
          { ...drawing, problem: problemNamed(problem) },
          {
            account: nameOf(user),
            factors: listed.map((factor) => toListed(visit, drawing.t, factor)),
            isFrozen: permission.kind === "frozen",
            isReadOnly: visit.isReadOnly,
            ...(canAdd && { add: sectionUrl(visit, { view: "add" }) }),
            ...(canHaveRecoveryCode(multifactorSettings(tenant.record), factors) && {
              recovery: { exists: listed.length < factors.length, create: sectionUrl(visit, { view: "recovery-code" }) },
            }),
            ...(browsers && { browsers: { count: browsers.count, lastUsed: dateText(drawing.t, browsers.lastUsedAt) } }),
            ...(accepted && { accepted }),
            done: changes.find((change) => change === done),
          },
        ),
    },
  );
}

function toListed(visit: AccountVisit, t: Translate, factor: Factor): ListedFactor {
  const { tenant } = visit;
  const { id, name, created_at: created, confirmed_at: confirmed, last_used_at: used } = factor;
  const key = webauthnTypes.some((type) => type === factor.type) ? credentialSchema.parse(factor.credential) : undefined;
  return {
    id,
    name: factorLabel(tenant, t, factor),
    ...(name !== null && { type: factorTypeLabel(tenant, t, factor) }),
    added: dateText(t, confirmed ?? created),
    ...(used !== null && { used: dateText(t, used) }),
    ...(key !== undefined && { isSynced: key.backed_up }),
    rename: sectionUrl(visit, { view: "rename", id }),
    remove: sectionUrl(visit, { view: "remove", id }),
  };
}

/** Formats a date in UTC, because the time zone of the user is unknown. */
function dateText({ lang }: Translate, at: number): string {
  return new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeZone: "UTC" }).format(at);
}
