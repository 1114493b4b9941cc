import type { Route } from "../http/route.ts";
import { accountRoutes } from "./account/routes.ts";
import { codeLink } from "./universal-login/code-link.ts";
import { continueLogin } from "./universal-login/continue.ts";
import { connectAccountPage } from "./universal-login/connect-account.ts";
import { startConnectionTest } from "./universal-login/connection-test.ts";
import { deviceActivation } from "./device/routes.ts";
import { enrollFactorPage } from "./links/enroll.ts";
import { flowApi } from "./universal-login/flow-api.ts";
import { forgotPassword } from "./links/forgot-password.ts";
import { invitationPage } from "./universal-login/invitation.ts";
import { loginCallback } from "./universal-login/callback.ts";
import { loginPage } from "./universal-login/page.ts";
import { resetPasswordPage } from "./links/reset-password.ts";
import { undoFactorChange } from "./links/undo-factor-change.ts";
import { verifyEmail } from "./links/verify-email.ts";

/** Every route of the pages of `hosted/`, in the order of the OpenAPI document. */
export const hostedRoutes: readonly Route[] = [
  ...loginPage,
  invitationPage,
  ...flowApi,
  ...loginCallback,
  startConnectionTest,
  connectAccountPage,
  ...continueLogin,
  ...deviceActivation,
  ...codeLink,
  ...verifyEmail,
  ...resetPasswordPage,
  ...forgotPassword,
  ...undoFactorChange,
  ...accountRoutes,
  ...enrollFactorPage,
];
