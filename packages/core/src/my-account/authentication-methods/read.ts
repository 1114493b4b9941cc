import * as z from "zod";
import { PosternError } from "../../errors.ts";
import { confirmedFactors, findFactor, findFactors, updateFactor } from "../../identity/factors/factors.ts";
import { frozenFactors } from "../../identity/factors/frozen-factors.ts";
import { removeOptionalFactor, removeOwnFactor } from "../../identity/factors/remove-own-factor.ts";
import { messageTypeSchema, multifactorSettings } from "../../model/factors/multifactor.ts";
import {
  myAuthenticationMethodSchema,
  myAuthenticationMethodsSchema,
  passwordMethod,
  toMyMethod,
} from "../../model/my-account/authentication-methods.ts";
import { invalidBody } from "../../model/settings.ts";
import type { Row } from "../../store/schema.ts";
import { meRoute, type MeContext } from "../me-route.ts";
import { requireChange } from "../require-change.ts";

const path = "/me/v1/authentication-methods";
const onePath = `${path}/:authentication_method_id` as const;
const rejected = {
  401: { error: "invalid_token: the token is not valid, or the user must authenticate again before a change" },
  403: { error: "insufficient_scope" },
} as const;
const missing = { ...rejected, 404: { error: "not_found: the user has no such method" } } as const;

/** The routes that read, rename and remove the authentication methods of the user. */
export const myAuthenticationMethods = [
  meRoute({
    method: "GET",
    path,
    summary: "List the authentication methods of the user",
    scopes: ["read:me:authentication_methods"],
    query: z.looseObject({ type: z.string().max(40).exactOptional() }),
    responses: { 200: myAuthenticationMethodsSchema, ...rejected },
  })(async ({ query: { type } }, { tenant, mfaToken: { user, account } }) => {
    const factors = confirmedFactors(await findFactors(tenant.data, user)).map(toMyMethod);
    const password = passwordMethod(account);
    const all = password === undefined ? factors : [password, ...factors];
    return { authentication_methods: all.filter((method) => type === undefined || method.type === type) };
  }),
  meRoute({
    method: "GET",
    path: onePath,
    summary: "Get an authentication method of the user",
    scopes: ["read:me:authentication_methods"],
    responses: { 200: myAuthenticationMethodSchema, ...missing },
  })(async ({ params }, context) => {
    const password = passwordMethod(context.mfaToken.account);
    if (password?.id === params.authentication_method_id) return password;
    return toMyMethod(await findMethod(context, params.authentication_method_id));
  }),
  meRoute({
    method: "PATCH",
    path: onePath,
    summary: "Change an authentication method of the user",
    description: "`preferred_authentication_method` applies to phones only.",
    scopes: ["update:me:authentication_methods"],
    body: z
      .strictObject({ name: z.string().trim().min(1).max(64), preferred_authentication_method: messageTypeSchema })
      .exactPartial()
      .meta({ id: "UpdateMyAuthenticationMethod" }),
    responses: { 200: myAuthenticationMethodSchema, ...missing },
  })(async ({ params, body: { name, preferred_authentication_method: channel } }, context) => {
    const { tenant } = context;
    await requireChange(context);
    const factor = await findMethod(context, params.authentication_method_id);
    if (channel !== undefined && factor.type !== "phone") throw invalidBody("'preferred_authentication_method' is only for phones");
    const set = { ...(name !== undefined && { name }), ...(channel !== undefined && { channel }) };
    if (Object.keys(set).length > 0 && !(await updateFactor(tenant, factor, set))) throw noSuchMethod();
    return toMyMethod({ ...factor, ...set });
  }),
  meRoute({
    method: "DELETE",
    path: onePath,
    summary: "Remove an authentication method of the user",
    scopes: ["delete:me:authentication_methods"],
    responses: {
      204: null,
      ...missing,
      400: { error: "access_denied: the user reported a change, so that nothing can be removed for 24 hours" },
      409: { error: "conflict: the tenant requires a second factor, and this is the last one" },
    },
  })(async ({ params }, context) => {
    const { tenant, client, mfaToken } = context;
    const { user } = mfaToken;
    await requireChange(context);
    const factor = await findMethod(context, params.authentication_method_id);
    const outcome =
      factor.type === "recovery-code"
        ? await removeOptionalFactor(tenant, { user, client }, factor)
        : await removeOwnFactor(tenant, { user, client }, factor, multifactorSettings(tenant.record));
    if (outcome === "absent") throw noSuchMethod();
    if (outcome === "frozen") throw frozenFactors();
    if (outcome === "required")
      throw new PosternError("conflict", "A second factor is required. Add another one before you remove the last one.");
  }),
];

async function findMethod({ tenant, mfaToken: { user } }: MeContext, id: string): Promise<Row<"factors">> {
  const factor = await findFactor(tenant.data, user.user_id, id);
  if (factor === undefined || factor.confirmed_at === null) throw noSuchMethod();
  return factor;
}

/** Creates the error for an id that no method of the user has. */
export function noSuchMethod(): PosternError {
  return new PosternError("not_found", "The user does not have this authentication method.");
}
