import * as z from "zod";
import { activationPath, activationUrl } from "../../authorization/device-codes/activation-url.ts";
import type { DeviceDecision } from "../../authorization/device-codes/decide.ts";
import { longestUserCode } from "../../authorization/device-codes/user-code.ts";
import { redirectResponse } from "../../http/html.ts";
import { checkOwnForm } from "../../login/own-form.ts";
import { pageResponse } from "../../login/page.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { enterUserCode } from "./enter-user-code.ts";
import { drawEnterCode } from "./pages/enter-code.tsx";
import { drawDeviceResult } from "./pages/result.tsx";
import { userCodeProblem } from "./problems.ts";

const definition = {
  path: activationPath,
  scopes: "public",
  errorFormat: "page",
  tenantHints: ["tenant"],
  findsTenantBySession: true,
  responses: {
    200: { error: "the page" },
    303: { error: "redirects to the login, or back to the page with the problem" },
    403: { error: "an HTML error page: the form was sent from another site" },
  },
} as const;

const tenantSchema = z.string().max(63).exactOptional().meta({ description: "On a host that several tenants share: the id of the tenant" });
const userCodeSchema = z.string().max(longestUserCode);
const results: readonly DeviceDecision[] = ["approved", "denied", "lost"];

/**
 * The page on which users enter the code of a device (RFC 8628 section 3.3). Viewing the page uses no code, also if its
 * URL contains one: the user must submit it, sign in and compare it.
 */
export const deviceActivation = [
  route({
    ...definition,
    method: "GET",
    summary: "Show the page on which users enter the code of a device",
    query: z.looseObject({
      tenant: tenantSchema,
      user_code: userCodeSchema.exactOptional().meta({ description: "The code, which the page fills in" }),
      problem: z.string().max(40).exactOptional(),
      result: z.string().max(40).exactOptional(),
    }),
  })(async ({ query: { user_code: userCode = "", problem, result } }, { tenant }) => {
    const decision = results.find((each) => each === result);
    if (decision !== undefined) {
      return pageResponse(tenant, { name: "device-result", draw: (drawing) => drawDeviceResult(drawing, decision) });
    }
    return pageResponse(tenant, {
      name: "device-code",
      draw: (drawing) => drawEnterCode({ ...drawing, problem: userCodeProblem(problem) }, { userCode }),
      action: tenant.urls.urlFor(activationPath),
      hidden: { ...tenant.tenantParameter },
      redirectsAfterSubmit: true,
    });
  }),
  route({
    ...definition,
    method: "POST",
    summary: "Enter the code of a device, and start the login that confirms it",
    bodyKind: "form",
    body: z.looseObject({ tenant: tenantSchema, user_code: userCodeSchema.exactOptional() }),
  })(async ({ body, request }, { tenant }) => {
    checkOwnForm(tenant, request);
    const entered = await enterUserCode(tenant, request, body.user_code ?? "");
    return entered instanceof Response ? entered : redirectResponse(activationUrl(tenant, { problem: entered.problem }));
  }),
];
