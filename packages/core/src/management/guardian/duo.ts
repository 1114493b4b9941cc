import { duoSettingsSchema, setDuoSettingsSchema } from "../../model/factors/providers.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { changeFactorProvider, findFactorProvider } from "./factor-providers.ts";

const path = "/api/v2/guardian/factors/duo/settings";
const stored = "Only stored, for compatibility with Auth0: Postern does not support Duo.";
const rule =
  "A body without `skey` keeps the stored one, unless `host` is removed. A new `host` requires `skey`. `null` and an empty string remove a member.";

/** The routes for the settings of Duo. Postern does not support this factor, and only stores them. */
export const guardianDuo = [
  route({
    method: "GET",
    path,
    summary: "Get the Duo account",
    description: `${stored} The response does not contain \`skey\`.`,
    scopes: ["read:guardian_factors"],
    responses: { 200: duoSettingsSchema },
  })(async (_, { tenant }) => duoSettingsSchema.parse((await findFactorProvider(tenant, "duo")).content)),
  ...(
    [
      { method: "PUT", verb: "Replace" },
      { method: "PATCH", verb: "Update" },
    ] as const
  ).map(({ method, verb }) =>
    route({
      method,
      path,
      summary: `${verb} the Duo account`,
      description: `${stored} ${rule}`,
      scopes: ["update:guardian_factors"],
      body: setDuoSettingsSchema,
      responses: { 200: duoSettingsSchema, 409: { error: "conflict" } },
    })(async ({ body }, { tenant }) =>
      duoSettingsSchema.parse((await changeFactorProvider(tenant, "duo", body, method === "PUT")).content),
    ),
  ),
];
