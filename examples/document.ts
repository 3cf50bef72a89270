/** Runs what docs/examples.md shows and writes the answers into it: `npm run example:document`. */

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../src/package-root.ts'
import { documentedRuns, steady, withOutputs } from './documented.ts'
import { runExample } from './run-example.ts'

const DOCUMENT = fileURLToPath(new URL('docs/examples.md', packageRoot()))

const markdown = readFileSync(DOCUMENT, 'utf8')
const outputs: (readonly string[])[] = []
for (const { args, lines } of documentedRuns(markdown)) {
  const said: string[] = []
  const code = await runExample(args, (line) => said.push(line))
  if (code !== 0) process.exitCode = code
  process.stdout.write(`${args.join(' ')}: ${said.at(-1)?.trim()}\n`)
  // Other times alone are no change.
  const isSame = said.map(steady).join('\n') === lines.map(steady).join('\n')
  outputs.push(isSame ? lines : said)
}
writeFileSync(DOCUMENT, withOutputs(markdown, outputs))
