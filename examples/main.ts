import { runExample } from './run-example.ts'

// So that what is to be done at the end is done: a signal alone would end the process without it.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

process.exitCode = await runExample(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`))
