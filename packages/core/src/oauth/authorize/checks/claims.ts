import * as z from "zod";
import { PosternError } from "../../../errors.ts";
import { personClaims } from "../../../tokens/id-token.ts";
import { knownAcrs } from "../../../model/factors/acr.ts";
import { noClaims } from "../../../authorization/requested-claims.ts";
import { listedAcrs } from "../../listed-acrs.ts";
import type { AuthorizationCheck, Checked } from "./check.ts";

/** How a claim is requested; null requests it without conditions. */
const memberSchema = z
  .looseObject({ essential: z.boolean().exactOptional(), value: z.unknown().exactOptional(), values: z.array(z.unknown()).exactOptional() })
  .nullable();

const claimsSchema = z.looseObject({
  userinfo: z.record(z.string(), memberSchema).nullable().exactOptional(),
  id_token: z.record(z.string(), memberSchema).nullable().exactOptional(),
});

/** Reads the claims that are requested by name (OpenID Connect Core section 5.5). Unknown claims are ignored. */
export const checkClaims: AuthorizationCheck = async (checked) => {
  checked.request.claims = noClaims;
  const { claims: sent } = checked.sent;
  if (sent === undefined || sent === "") return checkAcr(checked, undefined);
  const { userinfo, id_token: idToken } = parse(sent);
  const known = (names: object | null | undefined): string[] => Object.keys(names ?? {}).filter((name) => personClaims.includes(name));
  checked.request.claims = { userinfo: known(userinfo), idToken: known(idToken) };
  await checkAcr(checked, idToken?.["acr"]);
  checkSubject(checked, idToken?.["sub"]);
};

type Member = z.infer<typeof memberSchema> | undefined;

/**
 * Reads the `acr` values of which the login must satisfy one: those of an essential `acr` claim (OpenID Connect Core
 * section 5.5.1.1), otherwise those in `acr_values` or of a voluntary claim that the tenant lists in discovery. The
 * others are ignored: the use of `acr_values` must not be an error (section 15.1), and they can be meant for the identity
 * provider. An essential claim does not depend on the list. If the request has `acr_values` and a voluntary claim,
 * `acr_values` decides.
 * @throws {PosternError} `unmet_authentication_requirements` if an essential claim has only unknown values.
 */
async function checkAcr({ tenant, request }: Checked, acr: Member): Promise<void> {
  const values = [...(acr?.value === undefined ? [] : [acr.value]), ...(acr?.values ?? [])];
  const known = knownAcrs(values.filter((value) => typeof value === "string"));
  if (acr?.essential === true && values.length > 0) {
    if (known.length === 0) throw new PosternError("unmet_authentication_requirements", "'claims' requires an unknown acr");
    request.required_acrs = known;
    return;
  }
  const requested = knownAcrs((request.acr_values ?? "").split(" "));
  if (requested.length === 0 && known.length === 0) return;
  const listed = await listedAcrs(tenant);
  const required = requested.filter((value) => listed.includes(value));
  const voluntary = known.filter((value) => listed.includes(value));
  if (required.length > 0) request.required_acrs = required;
  else if (voluntary.length > 0) {
    request.required_acrs = voluntary;
    request.acr_voluntary = true;
  }
}

/** Requires the user that `sub` names, as `id_token_hint` does (OpenID Connect Core section 3.1.2.2). */
function checkSubject({ request }: Checked, sub: Member): void {
  if (sub?.value === undefined) return;
  if (typeof sub.value !== "string") throw new PosternError("invalid_request", "'claims': the value of sub must be text");
  if ((request.hinted_user_id ?? sub.value) !== sub.value) {
    throw new PosternError("login_required", "'id_token_hint' and 'claims' name different users");
  }
  request.hinted_user_id = sub.value;
}

function parse(text: string): z.infer<typeof claimsSchema> {
  try {
    return claimsSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new PosternError("invalid_request", "'claims' must be JSON as defined in OpenID Connect Core section 5.5", { cause });
  }
}
