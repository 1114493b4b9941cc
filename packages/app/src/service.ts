export { checkSessionRequirements } from "./requirements.ts";
export { toService } from "./service-source.ts";
