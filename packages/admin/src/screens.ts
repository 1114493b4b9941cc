import { Memoirist } from "memoirist";
import type { ConsoleScreen } from "./screen.ts";
import { apiScreens } from "./screens/apis.tsx";
import { appScreens } from "./screens/apps.tsx";
import { appRecordScreens } from "./screens/app-record.tsx";
import { connectionScreens } from "./screens/connection-record.tsx";
import { connectionsScreen } from "./screens/connections.tsx";
import { blockUsersScreen } from "./screens/block-users.tsx";
import { homeScreen } from "./screens/home.tsx";
import { organizationScreens } from "./screens/organization-record.tsx";
import { organizationListScreens } from "./screens/organizations.tsx";
import { logScreens } from "./screens/logs.tsx";
import { newConnectionScreens } from "./screens/new-connection.tsx";
import { newUserScreen } from "./screens/new-user.tsx";
import { roleScreens } from "./screens/role-record.tsx";
import { roleListScreens } from "./screens/roles.tsx";
import { searchScreen } from "./screens/search.tsx";
import { deliveriesScreen } from "./screens/settings-deliveries.tsx";
import { domainScreens } from "./screens/settings-domains.tsx";
import { brandingScreens } from "./screens/settings-branding.tsx";
import { factorScreens } from "./screens/settings-factors.tsx";
import { accountScreens } from "./screens/settings-account.tsx";
import { generalScreens } from "./screens/settings-general.tsx";
import { keyScreens } from "./screens/settings-keys.tsx";
import { mailScreens } from "./screens/settings-mail.tsx";
import { protectionScreens } from "./screens/settings-protection.tsx";
import { streamScreens } from "./screens/settings-streams.tsx";
import { shortcutsScreen } from "./screens/shortcuts.tsx";
import { tenantRecordScreens } from "./screens/tenant-record.tsx";
import { tenantsScreen } from "./screens/tenants.tsx";
import { userScreens } from "./screens/user.tsx";
import { usersScreen } from "./screens/users.tsx";

/** Every screen of a tenant. */
export const tenantScreens: readonly ConsoleScreen[] = [
  homeScreen,
  searchScreen,
  shortcutsScreen,
  usersScreen,
  newUserScreen,
  blockUsersScreen,
  ...userScreens,
  ...organizationListScreens,
  ...organizationScreens,
  ...roleListScreens,
  ...roleScreens,
  ...apiScreens,
  connectionsScreen,
  ...newConnectionScreens,
  ...connectionScreens,
  ...appScreens,
  ...appRecordScreens,
  ...logScreens,
  ...generalScreens,
  ...accountScreens,
  ...brandingScreens,
  ...mailScreens,
  ...factorScreens,
  ...protectionScreens,
  ...domainScreens,
  ...streamScreens,
  deliveriesScreen,
  ...keyScreens,
];

/** Every screen about the tenants of a control plane. */
export const controlPlaneScreens: readonly ConsoleScreen[] = [tenantsScreen, ...tenantRecordScreens];

/** A screen, and the decoded parameters of its path. */
interface FoundScreen {
  readonly screen: ConsoleScreen;
  readonly params: { readonly [name: string]: string };
}

const routerOf = (screens: readonly ConsoleScreen[]): Memoirist<ConsoleScreen> => {
  // A trailing slash is ignored.
  const router = new Memoirist<ConsoleScreen>({ loosePath: true });
  for (const screen of screens) router.add("", screen.path, screen);
  return router;
};

const inTenant = routerOf(tenantScreens);
const outsideTenants = routerOf(controlPlaneScreens);

/**
 * Finds the screen of a path.
 * @param path percent-encoded, with a slash at its start.
 * @param isOutsideTenants whether the path names no tenant although all others do.
 */
export function findScreen(path: string, isOutsideTenants: boolean): FoundScreen | undefined {
  const found = (isOutsideTenants ? outsideTenants : inTenant).find("", path);
  if (found === null) return undefined;
  const params: { [name: string]: string } = {};
  try {
    for (const [name, value] of Object.entries(found.params)) params[name] = decodeURIComponent(value);
  } catch {
    return undefined;
  }
  return { screen: found.store, params };
}
