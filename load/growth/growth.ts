/**
 * The same work as one thing grows: `npm run load:growth [-- SERIES ...] [--rows-max N] [--sizes 1,5,20]`. SERIES: rows, connections,
 * regions, values, keys; all of these without; or size. Writes load/results/growth: a picture for each series, and where all have run the
 * page. Ten million rows take five minutes and 3 GB of disk. `size` takes half an hour and 45 GB, and has a page of its own. Ends with
 * `N passed, M failed`.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { commit } from '../compare/page.ts'
import { byConnections } from './by-connections.ts'
import { byKeys } from './by-keys.ts'
import { byRegions } from './by-regions.ts'
import { byRows } from './by-rows.ts'
import { bySize } from './by-size.ts'
import { byValues } from './by-values.ts'
import { growthPage, type Ran } from './page.ts'
import { plot } from './plot.ts'
import { type Bounds, figureText, type Point, type Series } from './series.ts'

const ALL: readonly Series[] = [byRows, byConnections, byRegions, byValues, byKeys]
const ROWS_MAX = 10_000_000
const SIZES = [1, 5, 20]
const KNOWN: readonly Series[] = [...ALL, bySize]
/** Below dist/, and the repository's. */
const RESULTS = fileURLToPath(new URL('../../../load/results/growth/', import.meta.url))

function print(series: Series, { step, figures }: Point): void {
  const texts = Object.entries(figures)
    .filter(([name]) => !name.startsWith('writes of'))
    .map(([name, value]) => `${name} ${figureText(value)}`)
  process.stdout.write(`${series.name} ${step}: ${texts.join(', ')}\n`)
}

/** Undefined for arguments that cannot be read. */
function asked(): { readonly chosen: readonly Series[]; readonly bounds: Bounds } | undefined {
  const { values, positionals } = parseArgs({
    options: { 'rows-max': { type: 'string' }, sizes: { type: 'string' } },
    allowPositionals: true,
  })
  const chosen = positionals.length === 0 ? ALL : KNOWN.filter(({ name }) => positionals.includes(name))
  const rowsMax = Number(values['rows-max'] ?? ROWS_MAX)
  const sizes = values.sizes?.split(',').map(Number) ?? SIZES
  const isInOrder = sizes.every((size, at) => size > (sizes[at - 1] ?? 0))
  const isKnown = positionals.every((name) => KNOWN.some((series) => series.name === name))
  return isKnown && isInOrder && rowsMax > 0 ? { chosen, bounds: { rowsMax, sizes } } : undefined
}

function writePage(name: string, title: string, ran: readonly Ran[]): void {
  const date = new Date().toISOString().slice(0, 10)
  writeFileSync(`${RESULTS}${name}`, growthPage(title, ran, `${date}, commit ${commit()}`))
}

async function main(): Promise<number> {
  const arguments_ = asked()
  if (arguments_ === undefined) {
    const names = KNOWN.map(({ name }) => name).join(', ')
    process.stderr.write(
      `usage: npm run load:growth [-- SERIES ...] [--rows-max N] [--sizes GB,GB,...]; SERIES is one of ${names}\n`,
    )
    return 2
  }
  const { chosen, bounds } = arguments_
  mkdirSync(RESULTS, { recursive: true })
  const ran: Ran[] = []
  for (const series of chosen) {
    const points = await series.run((point) => print(series, point), bounds)
    ran.push({ series, points, judged: series.judge(points) })
    writeFileSync(`${RESULTS}${series.name}.svg`, plot(series, points))
  }
  if (chosen === ALL) writePage('README.md', 'Growth', ran)
  const size = ran.find(({ series }) => series === bySize)
  if (size !== undefined) writePage('size.md', 'Growth of one store', [size])
  const judged = ran.flatMap((each) => each.judged)
  for (const { what, holds } of judged) process.stdout.write(`${holds ? 'holds' : 'missed'}: ${what}\n`)
  const failed = judged.filter(({ holds }) => !holds).length
  process.stdout.write(`${judged.length - failed} passed, ${failed} failed\n`)
  return failed === 0 ? 0 : 1
}

process.exitCode = await main()
