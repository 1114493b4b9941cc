import type { CodeKind } from "../code-kind.ts";
import { findNextRecoveryCode, useRecoveryCode } from "../recovery-code.ts";

/** Recovery codes. The one that was used is replaced by the next one. */
export const recoveryCodeKind: CodeKind = {
  async verify(context, { user, code, recoveryPlace }) {
    const next = await useRecoveryCode(context, user, code, recoveryPlace);
    return next === undefined ? undefined : { nextRecoveryCode: next };
  },
  // It was used in the same place, but is not accepted again yet.
  async willBeRight(context, { user, code, recoveryPlace: { id } }) {
    return (await findNextRecoveryCode(context, user, code, id)) !== undefined;
  },
};
