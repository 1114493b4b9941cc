import { findCode, useCode } from "../../one-time-codes/one-time-code.ts";
import type { CodeKind } from "../code-kind.ts";
import { codePlaceOf } from "../factor-code.ts";

/** The codes that are sent to phones and email addresses. */
export const sentCodeKind: CodeKind = {
  async verify(context, { code, factor: { target }, place }) {
    const found = target && (await findCode(context, { ...codePlaceOf(target, place), typed: code }));
    return target !== undefined && found !== undefined && (await useCode(context, found)) ? { factorId: target.id } : undefined;
  },
};
