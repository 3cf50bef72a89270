/**
 * OpenTSDB 2.4.1 itself, unchanged, over native RPC, which it finds through ZooKeeper. It answers the queries from the rows that were written
 * over REST; then it writes the same day as another metric, whose rows are read over REST.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../test/harness/opentsdb/free-port.ts'
import { OpenTsdb, writeConfiguration } from '../../../test/harness/opentsdb/open-tsdb.ts'
import { missingTools } from '../../../test/harness/real-hbase/jars.ts'
import { Dictionary } from '../dictionary.ts'
import { type Answer, answerOver, QUERIES, type Query } from '../query.ts'
import { DAY_SECONDS, DAY_START } from '../series.ts'
import type { StoredDay, TsdbPart } from './part.ts'

const COPY = 'sys.cpu.copy'
const POINTS_PER_CALL = 2000

export const daemon: TsdbPart = {
  question: 'Does OpenTSDB itself say the same, and write the same?',
  run: async (stored) => {
    const missing = missingTools()
    if (missing.length > 0) {
      return stored.report.say(`OpenTSDB did not run: this machine has no ${missing.join(' and no ')}`)
    }
    const folder = mkdtempSync(join(tmpdir(), 'tidegate-opentsdb-'))
    try {
      await withDaemon(stored, folder, async (tsdb) => {
        await compareAnswers(stored, tsdb)
        await compareRows(stored, tsdb)
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function withDaemon(
  { server: { host, ports }, report }: StoredDay,
  folder: string,
  work: (tsdb: OpenTsdb) => Promise<void>,
): Promise<void> {
  const port = await freePort()
  writeConfiguration(folder, ports.zookeeper, port, {
    'tsd.storage.hbase.zk_quorum': `${host}:${ports.zookeeper}`,
    // Puts wait so long for others to go with them; the default is a second.
    'tsd.storage.flush_interval': 50,
    // Counters of series, in another table, are not needed here.
    'tsd.core.meta.enable_tsuid_tracking': false,
    'tsd.core.meta.enable_tsuid_incrementing': false,
  })
  const tsdb = new OpenTsdb(folder, port)
  await report.timed(
    () => 'OpenTSDB 2.4.1 started',
    () => tsdb.start(),
  )
  try {
    await work(tsdb)
  } finally {
    await tsdb.stop()
  }
}

async function compareAnswers({ metric, names, expected, report }: StoredDay, tsdb: OpenTsdb): Promise<void> {
  for (const query of QUERIES) {
    const answer = await report.timed(
      ({ size }) => `${query.name}: ${size} hours`,
      async () => answerIn(await tsdb.ask('/api/query', asked(metric, query, names))),
    )
    report.check(
      `${query.name}: from rows that were written over REST`,
      [...answer],
      [...expected.get(query.name)!],
    )
  }
}

async function compareRows(stored: StoredDay, tsdb: OpenTsdb): Promise<void> {
  const { tables, metric, expected, report } = stored
  await report.timed(
    (points) => `${points} points written by OpenTSDB as ${COPY}`,
    () => writeCopy(stored, tsdb),
  )
  const names = await Dictionary.read(tables)
  for (const query of QUERIES) {
    const { answer } = await answerOver(tables, names, COPY, query)
    report.check(`${query.name}: over REST, from its rows`, [...answer], [...expected.get(query.name)!])
  }
  const rowsOf = async (name: string): Promise<string[]> => {
    const uid = names.metrics.get(name)!
    const cells = await tables.points.scanPrefix(uid, { batch: 5000 })
    return cells.map(({ key, column, $ }) => JSON.stringify([key.slice(uid.length), column, $]))
  }
  const [ours, its] = [await rowsOf(metric), await rowsOf(COPY)]
  report.check(
    `all ${ours.length} cells are the same, byte for byte`,
    its.filter((cell, i) => cell !== ours[i]).length + Math.abs(ours.length - its.length),
    0,
  )
}

/** Returns how many points it has taken. */
async function writeCopy({ series }: StoredDay, tsdb: OpenTsdb): Promise<number> {
  const points = series.flatMap(({ tags, points }) =>
    points.map(({ time, value }) => ({
      metric: COPY,
      // Ten digits are seconds, thirteen are milliseconds.
      timestamp: time % 1000 === 0 ? time / 1000 : time,
      value,
      tags,
    })),
  )
  let taken = 0
  for (let i = 0; i < points.length; i += POINTS_PER_CALL) {
    const answer = await tsdb.ask('/api/put?summary&sync', points.slice(i, i + POINTS_PER_CALL))
    taken += (JSON.parse(answer.slice(answer.indexOf(' '))) as { success: number }).success
  }
  return taken
}

/** The query in OpenTSDB's JSON. */
function asked(metric: string, { tag, withoutTag }: Query, { tagNames }: Dictionary): object {
  const filters = []
  if (tag !== undefined) {
    const [tagk, values] = tag
    const isText = typeof values === 'string'
    filters.push({ type: isText ? 'literal_or' : 'regexp', tagk, filter: isText ? values : values.source })
  }
  if (withoutTag !== undefined) {
    // OpenTSDB 2.4.1 brings the filter `not_key` and knows it by no name; to ask for just the other tags is the same here.
    const others = [...tagNames.keys()].filter((name) => name !== withoutTag)
    filters.push(...others.map((tagk) => ({ type: 'wildcard', tagk, filter: '*' })))
  }
  const query = {
    metric,
    aggregator: 'sum',
    downsample: '1h-max',
    explicitTags: withoutTag !== undefined,
    filters: filters.map((filter) => ({ ...filter, groupBy: false })),
  }
  return { start: DAY_START, end: DAY_START + DAY_SECONDS - 1, queries: [query] }
}

/** `200 [{"dps":{"1356998400":8,...},...}]` */
function answerIn(answer: string): Answer {
  if (!answer.startsWith('200 ')) throw new Error(`OpenTSDB answers ${answer}`)
  const [result] = JSON.parse(answer.slice(answer.indexOf(' '))) as {
    dps: Readonly<Record<string, number>>
  }[]
  return new Map(Object.entries(result?.dps ?? {}).map(([hour, value]) => [Number(hour), value]))
}
