import { addressesSection } from "./addresses/section.ts";
import { appsSection } from "./apps/section.ts";
import { deletionSection } from "./deletion/section.ts";
import { eventsSection } from "./events/section.ts";
import { exportSection } from "./export/section.ts";
import { languageSection } from "./language/section.ts";
import { linkedAccountsSection } from "./linked-accounts/section.ts";
import { organizationsSection } from "./organizations/section.ts";
import { passwordSection } from "./password/section.ts";
import { profileSection } from "./profile/section.ts";
import type { AccountSection } from "./section.ts";
import { securitySection } from "./security/section.ts";
import { sessionsSection } from "./sessions/section.ts";
import { usernameSection } from "./username/section.ts";

/** Every section of the account page, in their order on the page. */
export const sections: readonly AccountSection[] = [
  profileSection,
  addressesSection,
  usernameSection,
  passwordSection,
  securitySection,
  sessionsSection,
  appsSection,
  linkedAccountsSection,
  organizationsSection,
  languageSection,
  eventsSection,
  exportSection,
  deletionSection,
];
