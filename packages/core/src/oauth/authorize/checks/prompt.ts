import { PosternError } from "../../../errors.ts";
import type { AuthorizationRequest } from "../../../authorization/authorization-request.ts";
import type { AuthorizationCheck } from "./check.ts";

type Prompt = AuthorizationRequest["prompt"][number];

const prompts: readonly Prompt[] = ["none", "login", "consent", "select_account"];

/** Reads the parameter `prompt`, which names the pages that must be displayed (OpenID Connect Core section 3.1.2.1). */
export const checkPrompt: AuthorizationCheck = (checked) => {
  const words = (checked.sent["prompt"] ?? "").split(" ").filter((word) => word !== "");
  const known = words.filter((word): word is Prompt => prompts.some((prompt) => prompt === word));
  if (known.length !== words.length) throw new PosternError("invalid_request", "'prompt' must be none, login, consent or select_account");
  if (known.includes("none") && known.length > 1)
    throw new PosternError("invalid_request", "'prompt' must not combine none with other values");
  checked.request.prompt = known;
};
