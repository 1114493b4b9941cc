import type { Route } from "../../http/route.ts";
import { authorize } from "../authorize.ts";
import { invitationPage } from "../login/invitation.ts";
import { loginPage } from "../login/page.ts";

/** From `/authorize` over the pages of the login to the answer to the client. */
export const loginRoutes: readonly Route[] = [...authorize, ...loginPage, invitationPage];
