import type { Logger } from "../adapters/logger.ts";
import type { Finding } from "./finding.ts";

/**
 * Has the doctor look once in the life of a process, and log what is wrong (event `doctor`). It is told of answers and begins after the first: by then the public address is up, and the start of the app waited for nothing.
 * @returns to be told of each answer.
 */
export function lookOnce(examine: () => Promise<readonly Finding[]>, logger: Logger): (answered: Promise<unknown>) => void {
  let begun = false;
  return (answered) => {
    if (begun) return;
    begun = true;
    void answered.then(examine).then((findings) => {
      for (const { level, check, message, cure } of findings)
        if (level !== "ok") logger.log({ level: "warn", event: "doctor", check, message, cure });
    });
  };
}
