import { appsSection } from "./apps/section.ts";
import { deletionSection } from "./deletion/section.ts";
import { eventsSection } from "./events/section.ts";
import { exportSection } from "./export/section.ts";
import { languageSection } from "./language/section.ts";
import { profileSection } from "./profile/section.ts";
import type { AccountSection } from "./section.ts";
import { securitySection } from "./security/section.ts";
import { sessionsSection } from "./sessions/section.ts";

/** Every section of the account page, in their order on the page. */
export const sections: readonly AccountSection[] = [
  profileSection,
  securitySection,
  sessionsSection,
  appsSection,
  languageSection,
  eventsSection,
  exportSection,
  deletionSection,
];
