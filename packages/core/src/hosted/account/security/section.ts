import { redirectResponse } from "../../../http/html.ts";
import type { AccountSection } from "../section.ts";
import { sectionUrl } from "../section-page.tsx";
import { addPage } from "./add-page.tsx";
import { forgetBrowsers } from "./forget-browsers.ts";
import { enrollmentActions, lostFirstFactor, submitUserFactor } from "./new-factor.ts";
import { overviewPage } from "./overview.ts";
import { createUserRecoveryCode, newRecoveryCodePage } from "./recovery-code.ts";
import { removePage, removeUserFactor } from "./remove-factor.ts";
import { renameFactor, renamePage } from "./rename-factor.ts";

/** The section in which users change their second factors and passkeys. */
export const securitySection: AccountSection = {
  name: "security",
  title: "securityTitle",
  summaries: {
    show: "Show the second factors of the signed-in user, or a page on which they change one",
    change: "Change the second factors of the signed-in user",
  },
  overview: overviewPage,
  pages: { add: addPage, rename: renamePage, remove: removePage, "recovery-code": newRecoveryCodePage },
  changes: {
    ...Object.fromEntries(enrollmentActions.map((action) => [action, submitUserFactor])),
    "rename-factor": renameFactor,
    "remove-factor": removeUserFactor,
    "create-recovery-code": createUserRecoveryCode,
  },
  actions: {
    "forget-browsers": forgetBrowsers,
    "other-new-factor": async (visit) => redirectResponse(sectionUrl(visit, { view: "add" })),
  },
  problemOfRefused: (visit, action) => (lostFirstFactor(visit, action) ? "already-enrolled" : undefined),
};
