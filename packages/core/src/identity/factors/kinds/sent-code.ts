import { findCode, takeCode } from "../../one-time-codes/one-time-code.ts";
import type { CodeKind } from "../code-kind.ts";
import { codePlaceOf } from "../factor-code.ts";

/** The codes that are sent to phones and email addresses. */
export const sentCodeKind: CodeKind = {
  async verify(context, { code, factor: { target }, place, form }) {
    if (target === undefined) return undefined;
    const guess = { ...codePlaceOf(target, place), typed: code };
    const taken = await takeCode(context, await findCode(context, guess), guess, form);
    return taken && { factorId: target.id, ...(taken.isRepeated && { repeats: { at: taken.code.consumed_at ?? 0 } }) };
  },
};
