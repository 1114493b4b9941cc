export { toService } from "./service-source.ts";
