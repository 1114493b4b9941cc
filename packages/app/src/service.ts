export { lazyBody } from "./read-text.ts";
export { checkSessionRequirements } from "./requirements.ts";
export { signInErrorOf } from "./sign-in-error.ts";
export { toService } from "./service-source.ts";
export { isFromApp, redirectByPage } from "./responses.ts";
