import { library } from "../../tsup.base.ts";

export default library({ platform: "node", entry: ["src/index.ts", "src/d1.ts", "src/tenants.ts", "src/url.ts"] });
