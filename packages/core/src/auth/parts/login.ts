import type { Route } from "../../http/route.ts";
import { authorize } from "../authorize.ts";
import { continueLogin } from "../login/continue.ts";
import { loginCallback } from "../login/callback.ts";
import { flowApi } from "../login/flow-api.ts";
import { invitationPage } from "../login/invitation.ts";
import { loginPage } from "../login/page.ts";
import { logout } from "../logout.ts";
import { oidcLogout } from "../oidc-logout.ts";
import { webfinger } from "../webfinger.ts";

/** From `/authorize` to the answer to the client, and the way out; and which provider somebody would be led to (webfinger). */
export const loginRoutes: readonly Route[] = [
  ...authorize,
  logout,
  ...oidcLogout,
  ...loginPage,
  ...flowApi,
  ...loginCallback,
  ...continueLogin,
  invitationPage,
  webfinger,
];
