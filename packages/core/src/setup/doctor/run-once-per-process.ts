import type { Logger } from "../../adapters/logger.ts";
import type { Finding } from "../finding.ts";

/** The doctor's one look in the life of a process. */
export interface LookOnce {
  /** Is told of each answer. */
  after(answered: Promise<unknown>): void;
  /** The service is closed: what is found from now on is found in something closed, and is not told. */
  end(): void;
}

/** Has the doctor look once, and log what is wrong (event `doctor`). It begins after the first answer: by then the public address is up, and the start of the app waited for nothing. */
export function lookOnce(examine: () => Promise<readonly Finding[]>, logger: Logger): LookOnce {
  let state: "new" | "begun" | "ended" = "new";
  const look = async (answered: Promise<unknown>): Promise<void> => {
    await answered;
    const findings = await examine();
    if (state === "ended") return;
    for (const { level, check, message, cure } of findings)
      if (level !== "ok") logger.log({ level: "warn", event: "doctor", check, message, cure });
  };
  return {
    after(answered) {
      if (state !== "new") return;
      state = "begun";
      look(answered).catch((error: unknown) => logger.log({ level: "error", event: "doctor", error }));
    },
    end() {
      state = "ended";
    },
  };
}
