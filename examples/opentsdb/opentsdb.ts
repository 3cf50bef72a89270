/** Writes a day of 200 series as OpenTSDB would, over REST, and reads it: over REST, and with OpenTSDB itself. */

import type { ExampleServer } from '../shared/example-server.ts'
import { makeWay } from '../shared/make-way.ts'
import { type Parts, runParts } from '../shared/parts.ts'
import type { Report } from '../shared/report.ts'
import { type NewCell, RestClient } from '../shared/rest-table.ts'
import { Dictionary } from './dictionary.ts'
import { expectedAnswer } from './expected-answer.ts'
import { daemon } from './parts/daemon.ts'
import type { StoredDay } from './parts/part.ts'
import { picture } from './parts/picture.ts'
import { queries } from './parts/queries.ts'
import { rawRows } from './parts/raw-rows.ts'
import { QUERIES } from './query.ts'
import { encodePoint } from './row-format.ts'
import { daySeries, type Series } from './series.ts'
import { TSDB_TABLES, TsdbTables } from './tsdb-tables.ts'

/** By their names on the command line. */
export const PARTS: Parts<StoredDay> = { 'raw-rows': rawRows, queries, picture, daemon }

export interface OpentsdbOptions {
  /** Seconds between two points of a series. */
  readonly every: number
  readonly svg: string
  readonly replace: boolean
}

const METRIC = 'sys.cpu.user'

export async function opentsdb(
  server: ExampleServer,
  partNames: readonly string[],
  { every, svg, replace }: OpentsdbOptions,
  report: Report,
): Promise<void> {
  const series = daySeries(every)
  const tables = new TsdbTables(server.host, server.ports.rest)
  report.heading(`load: a day of ${series.length} series, a point every ${every} s, over REST`)
  await makeWay(new RestClient(server.host, server.ports.rest), Object.keys(TSDB_TABLES), replace)
  await tables.create()
  await tables.assign('metrics', [METRIC])
  await tables.assign('tagk', ['host', 'cpu', 'dc'])
  await tables.assign('tagv', [...new Set(series.flatMap(({ tags }) => Object.values(tags)))])
  const names = await Dictionary.read(tables)
  report.say(`${names.tagValues.size} values of ${names.tagNames.size} tags have UIDs`)
  await report.timed(
    (points) => `${points} points`,
    async () => {
      const cells = series.flatMap((each) => cellsOf(each, names))
      await tables.points.put(cells)
      return cells.length
    },
  )
  const expected = new Map(QUERIES.map((query) => [query.name, expectedAnswer(series, query)]))
  const stored = { server, report, tables, names, metric: METRIC, series, expected, svg }
  await runParts(PARTS, partNames, stored)
}

function cellsOf({ tags, points }: Series, names: Dictionary): NewCell[] {
  return points.map((point) => {
    const { hour, qualifier, value } = encodePoint(point)
    return { key: names.rowKey({ metric: METRIC, hour, tags }), column: `t:${qualifier}`, $: value }
  })
}
