/**
 * The same work as one thing grows: `npm run load:growth [-- SERIES ...] [--rows-max N]`. SERIES: rows, connections, regions,
 * values, keys; all of them without. Writes load/results/growth: a picture for each series, and where all have run the page.
 * Ten million rows take five minutes and 3 GB of disk. Ends with `N passed, M failed`.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { commit } from '../compare/page.ts'
import { byConnections } from './by-connections.ts'
import { byKeys } from './by-keys.ts'
import { byRegions } from './by-regions.ts'
import { byRows } from './by-rows.ts'
import { byValues } from './by-values.ts'
import { growthPage, type Ran } from './page.ts'
import { plot } from './plot.ts'
import { figureText, type Point, type Series } from './series.ts'

const ALL: readonly Series[] = [byRows, byConnections, byRegions, byValues, byKeys]
const ROWS_MAX = 10_000_000
/** Below dist/, and the repository's. */
const RESULTS = fileURLToPath(new URL('../../../load/results/growth/', import.meta.url))

function print(series: Series, { step, figures }: Point): void {
  const texts = Object.entries(figures)
    .filter(([name]) => !name.startsWith('writes of'))
    .map(([name, value]) => `${name} ${figureText(value)}`)
  process.stdout.write(`${series.name} ${step}: ${texts.join(', ')}\n`)
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { 'rows-max': { type: 'string' } },
    allowPositionals: true,
  })
  const unknown = positionals.filter((name) => !ALL.some((series) => series.name === name))
  const rowsMax = Number(values['rows-max'] ?? ROWS_MAX)
  if (unknown.length > 0 || !(rowsMax > 0)) {
    const names = ALL.map(({ name }) => name).join(', ')
    process.stderr.write(
      `usage: npm run load:growth [-- SERIES ...] [--rows-max N]; SERIES is one of ${names}\n`,
    )
    return 2
  }
  const chosen = positionals.length === 0 ? ALL : ALL.filter(({ name }) => positionals.includes(name))
  mkdirSync(RESULTS, { recursive: true })
  const ran: Ran[] = []
  for (const series of chosen) {
    const points = await series.run((point) => print(series, point), rowsMax)
    ran.push({ series, points, judged: series.judge(points) })
    writeFileSync(`${RESULTS}${series.name}.svg`, plot(series, points))
  }
  if (chosen.length === ALL.length) {
    const date = new Date().toISOString().slice(0, 10)
    writeFileSync(`${RESULTS}README.md`, growthPage(ran, `${date}, commit ${commit()}`))
  }
  const judged = ran.flatMap((each) => each.judged)
  for (const { what, holds } of judged) process.stdout.write(`${holds ? 'holds' : 'missed'}: ${what}\n`)
  const failed = judged.filter(({ holds }) => !holds).length
  process.stdout.write(`${judged.length - failed} passed, ${failed} failed\n`)
  return failed === 0 ? 0 : 1
}

process.exitCode = await main()
