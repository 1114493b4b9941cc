import * as z from "zod";
import { PosternError } from "../../../errors.ts";
import { personClaims } from "../../../domain/tokens/id-token.ts";
import type { Check } from "./check.ts";

const Claims = z.looseObject({
  userinfo: z.record(z.string(), z.unknown()).nullable().exactOptional(),
  id_token: z.record(z.string(), z.unknown()).nullable().exactOptional(),
});

/** Single claims that are asked for by name (OpenID Connect Core section 5.5). Those that do not exist here are left out. */
export const checkClaims: Check = (checked) => {
  checked.request.claims = { userinfo: [], idToken: [] };
  const { claims: sent } = checked.sent;
  if (sent === undefined || sent === "") return;
  const { userinfo, id_token: idToken } = parse(sent);
  const known = (names: object | null | undefined): string[] => Object.keys(names ?? {}).filter((name) => personClaims.includes(name));
  checked.request.claims = { userinfo: known(userinfo), idToken: known(idToken) };
};

function parse(text: string): z.infer<typeof Claims> {
  try {
    return Claims.parse(JSON.parse(text));
  } catch (cause) {
    throw new PosternError("invalid_request", "'claims' is not the JSON that OpenID Connect Core section 5.5 describes", { cause });
  }
}
