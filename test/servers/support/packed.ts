export { npmEnv, pack } from "../../../scripts/pack.ts";
