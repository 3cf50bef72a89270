import { runExample } from './run-example.ts'

process.exitCode = await runExample(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`))
