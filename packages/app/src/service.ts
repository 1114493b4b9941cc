export { checkSessionRequirements } from "./requirements.ts";
export { SignInError } from "./sign-in-error.ts";
export { toService } from "./service-source.ts";
