import type { ConsoleScreen } from "../screen.ts";
import { userFactorRemoveScreen, userRawScreen } from "./user-raw.tsx";
import { userEditScreen } from "./user-edit.tsx";
import { userDeletionScreens } from "./user-frame.tsx";
import { userProfileScreen } from "./user-profile.tsx";
import { userSessionsScreen } from "./user-sessions.tsx";
import { userRolesEditScreen, userRolesScreen } from "./user-roles.tsx";
import { userConsentsScreen, userEventsScreen, userFactorsScreen, userOrganizationsScreen } from "./user-tabs.tsx";

/** The screens of a user's record. */
export const userScreens: readonly ConsoleScreen[] = [
  userProfileScreen,
  userEditScreen,
  userEventsScreen,
  userSessionsScreen,
  userRolesScreen,
  userRolesEditScreen,
  userOrganizationsScreen,
  userConsentsScreen,
  userFactorsScreen,
  userFactorRemoveScreen,
  userRawScreen,
  ...userDeletionScreens,
];
