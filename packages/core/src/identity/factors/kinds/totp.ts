import type { CodeKind } from "../code-kind.ts";
import { verifyTotp } from "../totp.ts";

/** The codes of authenticator apps. */
export const totpKind: CodeKind = {
  async verify(context, { code, factor: { candidates } }) {
    for (const candidate of candidates) if (await verifyTotp(context, candidate, code)) return { factorId: candidate.id };
    return undefined;
  },
};
