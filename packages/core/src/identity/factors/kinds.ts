import type { FactorType } from "../../model/factors/factor-types.ts";
import type { CodeKind } from "./code-kind.ts";
import { recoveryCodeKind } from "./kinds/recovery-code.ts";
import { sentCodeKind } from "./kinds/sent-code.ts";
import { totpKind } from "./kinds/totp.ts";

/** The kinds of factors whose codes users enter. Passkeys and security keys are verified by `verifyKey`. */
export const codeKinds: { readonly [type in FactorType]?: CodeKind } = {
  totp: totpKind,
  phone: sentCodeKind,
  email: sentCodeKind,
  "recovery-code": recoveryCodeKind,
};
