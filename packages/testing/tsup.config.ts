import { library } from "../../tsup.base.ts";

export default library({ platform: "node", entry: ["src/index.ts", "src/isolation.ts"] });
