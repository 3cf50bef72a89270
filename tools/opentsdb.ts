/**
 * OpenTSDB 2.4.1 with asynchbase 1.8.2, unchanged, on Tidegate or a real HBase: `npm run test:opentsdb [-- --target
 * tidegate|real] [-- --record]`. Needs Java and Maven.
 *
 * UIDs by OpenTSDB's own tool, points by HTTP and by telnet, queries with aggregation, down-sampling and tag filters, counters
 * of series. What it answered on a real HBase, and the bytes that it left in its tables, are in test/clients/opentsdb/recorded.txt.
 */

import { mkdirSync } from 'node:fs'
import { familyDescriptor, tableDescriptor } from '../src/model/descriptor.ts'
import { parseTableName } from '../src/model/table-name.ts'
import { OWN_CALL } from '../src/store/call.ts'
import type { Store } from '../src/store/store.ts'
import { tableContents } from '../test/harness/client-transcripts/table-contents.ts'
import { runTranscript, type TranscriptServer } from '../test/harness/client-transcripts/transcript-tool.ts'
import { freePort } from '../test/harness/opentsdb/free-port.ts'
import { OpenTsdb, writeConfiguration } from '../test/harness/opentsdb/open-tsdb.ts'

/** As src/create_table.sh of OpenTSDB makes them. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  'tsdb-uid': ['id', 'name'],
  tsdb: ['t'],
  'tsdb-tree': ['t'],
  'tsdb-meta': ['name'],
}
const METRICS = ['sys.cpu.user', 'sys.cpu.nice', 'os.filesystem.size', 'proc.loadavg.1m', 'mysql.bytes_sent']
const TAG_NAMES = ['host', 'cpu']
const HOSTS = ['webserver01', 'webserver02', 'db-01', 'db-02', 'cache.1']
const HOUR = 1_356_998_400

async function createTables({ catalog }: Store): Promise<void> {
  for (const [name, families] of Object.entries(TABLES)) {
    const described = families.map((family) =>
      familyDescriptor(family, [
        ['BLOOMFILTER', 'ROW'],
        ['COMPRESSION', 'NONE'],
      ]),
    )
    await catalog.createTable(tableDescriptor(parseTableName(name), described), [], OWN_CALL)
  }
}

/** Points of all hosts, a minute apart, and those of OpenTSDB's own documentation. */
function points(): unknown[] {
  const series = HOSTS.flatMap((host, which) =>
    Array.from({ length: 90 }, (_, minute) => ({
      metric: 'sys.cpu.nice',
      timestamp: HOUR + minute * 60,
      value: minute % 7 === 0 ? minute + which / 2 : minute * (which + 1),
      tags: { host, cpu: String(which % 2) },
    })),
  )
  const documented = [
    [0, 1, 'webserver01', '0'],
    [0, 4, 'webserver01', '1'],
    [0, 2, 'webserver02', '0'],
    [0, 1, 'webserver02', '1'],
  ].map(([second, value, host, cpu]) => ({
    metric: 'sys.cpu.user',
    timestamp: HOUR + Number(second),
    value,
    tags: { host, cpu },
  }))
  return [...documented, ...series]
}

const QUERIES: Readonly<Record<string, string>> = {
  'sum of all': 'sum:sys.cpu.user',
  'one host': 'sum:sys.cpu.user{host=webserver01}',
  'each host': 'sum:sys.cpu.user{host=*}',
  'some hosts': 'sum:sys.cpu.nice{host=webserver01|db-02}',
  'down-sampled averages': 'avg:10m-avg:sys.cpu.nice',
  'a rate': 'max:rate:30m-max:sys.cpu.nice{host=cache.1}',
  'hosts by a regular expression': 'sum:1h-sum:sys.cpu.nice{host=regexp(web.*[12])}',
  'hosts by wildcard': 'sum:1h-sum:sys.cpu.nice{}{host=wildcard(db-*)}',
  'all hosts but some': 'sum:1h-sum:sys.cpu.nice{host=not_literal_or(db-01|db-02)}',
  'only these tags': 'sum:1h-count:os.filesystem.size{host=db-01}',
  'a metric that is not there': 'sum:none',
  percentiles: 'p95:1h-avg:sys.cpu.nice',
}

async function queries(tsdb: OpenTsdb, answers: Map<string, string>): Promise<void> {
  const range = `start=${HOUR - 1}&end=${HOUR + 7200}`
  for (const [name, query] of Object.entries(QUERIES))
    answers.set(name, await tsdb.ask(`/api/query?${range}&m=${encodeURIComponent(query)}`))
  const old = 'start=1413978000&end=1413979000'
  answers.set(
    'milliseconds',
    await tsdb.askUntil(`/api/query?${old}&ms=true&m=sum:os.filesystem.size`, '912234341'),
  )
  answers.set(
    'a float',
    await tsdb.askUntil('/api/query?start=1234567000&end=1234568000&m=sum:proc.loadavg.1m', '0.42'),
  )
  const exact = {
    metric: 'sys.cpu.user',
    aggregator: 'none',
    explicitTags: true,
    filters: [
      { type: 'literal_or', tagk: 'host', filter: 'webserver01', groupBy: false },
      { type: 'wildcard', tagk: 'cpu', filter: '*', groupBy: true },
    ],
  }
  answers.set(
    'explicit tags',
    await tsdb.ask('/api/query', { start: HOUR - 1, end: HOUR + 10, queries: [exact] }),
  )
  answers.set('last', await tsdb.ask('/api/query/last?timeseries=sys.cpu.user&back_scan=0&resolve=true'))
  answers.set('suggest', await tsdb.ask('/api/suggest?type=metrics&q=sys'))
  answers.set('lookup', await tsdb.ask('/api/search/lookup?m=sys.cpu.user{host=webserver01}&use_meta=true'))
  answers.set(
    'delete',
    await tsdb.ask(`/api/query?start=${HOUR + 3600}&end=${HOUR + 7200}&m=sum:sys.cpu.nice{host=db-01}`),
  )
}

/** In a steady order: which of several series comes first is chance. */
function sorted(answer: string): string {
  const [status, json] = [answer.slice(0, 4), answer.slice(4)]
  if (!json.startsWith('[')) return answer
  const parts = (JSON.parse(json) as unknown[]).map((part) => JSON.stringify(part))
  return `${status}[${parts.sort().join(',\n')}]`
}

async function run({ zookeeper, store }: TranscriptServer, folder: string): Promise<Map<string, string>> {
  const port = await freePort()
  mkdirSync(folder, { recursive: true })
  writeConfiguration(folder, zookeeper, port)
  await createTables(store)
  const tsdb = new OpenTsdb(folder, port)
  const answers = new Map<string, string>()
  answers.set('mkmetric', await tsdb.tool('UidManager', 'assign', 'metrics', ...METRICS))
  answers.set('tag names', await tsdb.tool('UidManager', 'assign', 'tagk', ...TAG_NAMES, 'dc'))
  answers.set('tag values', await tsdb.tool('UidManager', 'assign', 'tagv', ...HOSTS, '0', '1'))
  await tsdb.start()
  try {
    answers.set('put by HTTP', await tsdb.ask('/api/put?details&sync', points()))
    answers.set(
      'put of nonsense',
      await tsdb.ask('/api/put?details', [{ metric: 'sys.cpu.user', value: 'x' }]),
    )
    const lines = [
      'put os.filesystem.size 1413978032 912234340 host=db-01',
      'put os.filesystem.size 1413978032123 912234341 host=db-01',
      'put proc.loadavg.1m 1234567890 0.42 host=webserver01',
      'put proc.loadavg.1m nonsense',
      'version',
    ]
    const summary = await tsdb.telnet(lines)
    answers.set(
      'put by telnet',
      summary
        .split('\n')
        .filter((line) => line.startsWith('put'))
        .join('\n'),
    )
    await queries(tsdb, answers)
    for (const [name, answer] of answers) answers.set(name, sorted(answer))
  } finally {
    await tsdb.stop()
  }
  answers.set('grep', await tsdb.tool('UidManager', 'grep', 'metrics', 'sys'))
  answers.set('fsck of UIDs', await tsdb.tool('UidManager', 'fsck'))
  for (const name of ['tsdb-uid', 'tsdb', 'tsdb-meta'])
    answers.set(`the table ${name}`, await tableContents(name, store))
  return answers
}

await runTranscript({ name: 'opentsdb', run })
