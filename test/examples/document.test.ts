/** docs/examples.md shows what the examples print, but for the times. */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { documentedRuns, steady } from '../../examples/documented.ts'
import { runExample } from '../../examples/run-example.ts'

const RUNS = documentedRuns(readFileSync('docs/examples.md', 'utf8'))
/** OpenTSDB itself needs Java and Maven: `npm run example:document` runs it. */
const isQuick = (args: readonly string[]): boolean => args[0] !== 'opentsdb' || args.includes('rest')

describe('docs/examples.md', () => {
  test.each(RUNS.filter(({ args }) => isQuick(args)))('says what $args prints', async ({ args, lines }) => {
    const said: string[] = []
    const code = await runExample(args, (line) => said.push(line))
    expect(said.map(steady)).toEqual(lines.map(steady))
    expect(code).toBe(0)
  })
})
