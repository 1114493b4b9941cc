// Prints the seconds of each folder, the slowest test files, the number of tests, the files with skipped tests, and the
// names of the failed ones from Vitest's JSON reports. The files themselves say why they skip.
// Reports that do not exist are skipped.
const { existsSync, readFileSync } = require("node:fs");
const { relative } = require("node:path");

const shownFiles = 30;
const reports = process.argv.slice(2).filter((file) => existsSync(file));
const files = reports.flatMap((report) => JSON.parse(readFileSync(report, "utf8")).testResults);

const seconds = ({ startTime, endTime }) => (endTime - startTime) / 1000;
const print = (duration, name) => console.log(`${duration.toFixed(1).padStart(7)}  ${name}`);

// A folder of core's sources is one subject. Elsewhere, the two upper folders are one: test/factors, packages/kysely.
const folderOf = ({ name }) => {
  const folders = relative(process.cwd(), name).split("/").slice(0, -1);
  return folders.slice(0, folders[1] === "core" ? 4 : 2).join("/");
};
const folders = new Map();
for (const file of files) folders.set(folderOf(file), (folders.get(folderOf(file)) ?? 0) + seconds(file));
console.log("\nSeconds of the test files, by folder:");
for (const [name, duration] of [...folders].toSorted(([, a], [, b]) => b - a)) print(duration, name);

const slowest = files.toSorted((a, b) => seconds(b) - seconds(a)).slice(0, shownFiles);
console.log(
  `\nThe ${slowest.length} slowest of ${files.length} test files, in seconds (all: ${Math.round(files.reduce((sum, file) => sum + seconds(file), 0))}):`,
);
for (const file of slowest) print(seconds(file), relative(process.cwd(), file.name));

const count = (status) => files.flatMap((file) => file.assertionResults).filter((test) => test.status === status).length;
// A file that could not be loaded counts as failed, although it has no failed test.
const unloadable = files.filter((file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"));
const isSkipped = ({ status }) => status === "skipped" || status === "pending" || status === "todo";
const skipped = files
  .map((file) => ({ name: file.name, tests: file.assertionResults.filter(isSkipped).length }))
  .filter(({ tests }) => tests > 0);
const skippedTests = skipped.reduce((sum, { tests }) => sum + tests, 0);
console.log(`${count("passed")} passed, ${count("failed") + unloadable.length} failed, ${skippedTests} skipped`);
for (const { name, tests } of skipped) console.log(`skipped: ${tests} of ${relative(process.cwd(), name)}`);
for (const file of files) {
  for (const test of file.assertionResults)
    if (test.status === "failed") console.log(`failed: ${relative(process.cwd(), file.name)} > ${test.fullName}`);
}
for (const file of unloadable) console.log(`failed: ${relative(process.cwd(), file.name)} could not be loaded`);
