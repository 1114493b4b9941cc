import * as z from "zod";
import { PosternError } from "../../errors.ts";
import type { OpenMfaToken } from "../../identity/factors/mfa-token.ts";
import { mfaTexts } from "../../model/sdk-texts.ts";
import type { ClientContext } from "../../tenants/callers/route-context.ts";

/**
 * The content of an `oob_code`: the factor that a code was sent for. The code itself (`binding_code`) is not part of it.
 */
const contentSchema = z.object({
  /** The hash of the `mfa_token`. */
  token: z.string(),
  /** The id of the code's target. */
  target: z.string(),
  type: z.enum(["phone", "email"]),
  /** `add-factor`: the code confirms a new factor. */
  purpose: z.enum(["factor", "add-factor"]),
});

export type OobCode = Omit<z.infer<typeof contentSchema>, "token">;

function placeIn({ tenant, client }: Pick<ClientContext, "tenant" | "client">) {
  return { tenantId: tenant.id, collection: "oob_code", id: client.record.client_id, field: "oob_code" };
}

/** Returns the `oob_code` for a code that was sent. It is encrypted, and only the same client can use it. */
export async function sealOobCode(
  context: Pick<ClientContext, "tenant" | "client">,
  { hash }: Pick<OpenMfaToken, "hash">,
  content: OobCode,
): Promise<string> {
  return context.tenant.secrets.sealer.seal(placeIn(context), JSON.stringify({ ...content, token: hash }));
}

/** Decrypts an `oob_code`. @throws {PosternError} `invalid_request` if it is invalid or belongs to another `mfa_token`. */
export async function openOobCode(
  context: Pick<ClientContext, "tenant" | "client">,
  { hash }: Pick<OpenMfaToken, "hash">,
  text: string,
): Promise<OobCode> {
  const opened = await context.tenant.secrets.sealer.open(placeIn(context), text).catch(() => {
    throw new PosternError("invalid_request", mfaTexts.malformedOobCode);
  });
  const { token, ...content } = contentSchema.parse(JSON.parse(opened));
  if (token !== hash) throw new PosternError("invalid_request", mfaTexts.otherOobCode);
  return content;
}
