import type { ConsoleScreen } from "../screen.ts";
import { userDangerScreen, userDeleteScreen, userFactorRemoveScreen, userRawScreen } from "./user-danger.tsx";
import { userEditScreen } from "./user-edit.tsx";
import { userProfileScreen } from "./user-profile.tsx";
import { userRolesEditScreen, userRolesScreen } from "./user-roles.tsx";
import { userConsentsScreen, userEventsScreen, userFactorsScreen, userOrganizationsScreen, userSessionsScreen } from "./user-tabs.tsx";

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
  userDangerScreen,
  userDeleteScreen,
];
