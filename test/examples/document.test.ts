/** docs/examples.md shows what the examples print, but for the times. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { documentedRuns, steady } from '../../examples/documented.ts'
import { runExample } from '../../examples/run-example.ts'
import { inTemporaryFolder } from '../harness/tidegate-process.ts'

const RUNS = documentedRuns(readFileSync('docs/examples.md', 'utf8'))
/** OpenTSDB and Pig need Java and Maven: `npm run example:document` runs them. */
const isQuick = (args: readonly string[]): boolean =>
  !args.some((arg) => ['daemon', 'pig-extract'].includes(arg))

/** The picture of the page, which the run draws elsewhere. */
const PICTURE = 'docs/opentsdb.svg'

describe('docs/examples.md', () => {
  test.each(RUNS.filter(({ args }) => isQuick(args)))(
    'says what $args prints',
    { timeout: 120_000 },
    ({ args, lines }) =>
      inTemporaryFolder(async (folder) => {
        const drawn = join(folder, 'picture.svg')
        const said: string[] = []
        const elsewhere = args.map((arg) => (arg === PICTURE ? drawn : arg))
        const code = await runExample(elsewhere, (line) => said.push(line.replace(drawn, PICTURE)))
        expect(said.map(steady)).toEqual(lines.map(steady))
        expect(code).toBe(0)
        if (args.includes(PICTURE)) expect(readFileSync(drawn, 'utf8')).toBe(readFileSync(PICTURE, 'utf8'))
      }),
  )
})
