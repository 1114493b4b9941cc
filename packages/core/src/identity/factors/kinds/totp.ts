import type { CodeKind } from "../code-kind.ts";
import { verifyTotp } from "../totp.ts";

/** The codes of authenticator apps. */
export const totpKind: CodeKind = {
  async verify(context, { code, factor: { candidates }, form }) {
    for (const candidate of candidates) {
      const verdict = await verifyTotp(context, candidate, code, form);
      if (verdict !== "wrong") return { factorId: candidate.id, ...(verdict !== "right" && { repeats: verdict }) };
    }
    return undefined;
  },
};
