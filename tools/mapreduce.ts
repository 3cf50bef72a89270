/**
 * HBase's MapReduce jobs and load tests 2.6.1, unchanged, on Tidegate or a real HBase: `npm run test:mapreduce [-- --target
 * tidegate|proxy|real] [-- --record] [-- --keep] [-- --only jobs|splitters|copies|replication|load-tests ...]`. Needs Java and Maven.
 *
 * Jobs run in the client's own process (local mode). The counters that a job prints and the tables that it leaves are compared
 * with those on a real HBase in test/clients/mapreduce/recorded.txt. Tables are copied to another server and back: a real HBase
 * beside Tidegate. Another table is replicated to it, and both are compared by HBase's own job.
 */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toStringBinary } from '../src/model/bytes.ts'
import { MutationBatch } from '../src/model/mutation.ts'
import { parseTableName } from '../src/model/table-name.ts'
import { OWN_CALL } from '../src/store/call.ts'
import type { Store } from '../src/store/store.ts'
import { tableContents } from '../test/harness/client-transcripts/table-contents.ts'
import {
  runTranscript,
  startServer,
  type TranscriptServer,
} from '../test/harness/client-transcripts/transcript-tool.ts'
import { clusterKey, createTable, HBASE, MAPREDUCE, Programs } from './mapreduce/programs.ts'
import { verifyReplication } from './mapreduce/verify-replication.ts'

const ROWS = 40

/** Rows r00 to r39 in three regions, with text in f and eight bytes in g. */
async function fill(store: Store): Promise<void> {
  await createTable(store, 'source', ['r10', 'r25'])
  const batch = new MutationBatch()
  for (let i = 0; i < ROWS; i++) {
    const row = Buffer.from(`r${String(i).padStart(2, '0')}`)
    const number = Buffer.alloc(8)
    number.writeBigInt64BE(BigInt(i) - 20n)
    batch.put(row, Buffer.from('f'), Buffer.from('text'), Buffer.from(`é ${i}`), 1000n + BigInt(i))
    if (i % 3 === 0) batch.put(row, Buffer.from('g'), Buffer.from([0, 255]), number)
    batch.endMutation()
  }
  await store.rows.mutate(parseTableName('source'), batch, OWN_CALL)
}

async function jobs(programs: Programs, store: Store, folder: string): Promise<void> {
  const { answers } = programs
  await programs.run('RowCounter', `${MAPREDUCE}RowCounter`, 'source')
  await programs.run('RowCounter of a range', `${MAPREDUCE}RowCounter`, 'source', '--range=r05,r15')
  await programs.run('CellCounter', `${MAPREDUCE}CellCounter`, 'source', 'counted')
  await programs.run('Export', `${MAPREDUCE}Export`, 'source', 'exported')
  await createTable(store, 'imported', ['r20'])
  await programs.run('Import', `${MAPREDUCE}Import`, 'imported', 'exported')
  answers.set('what Import left', await tableContents('imported', store))
  const lines = Array.from({ length: 300 }, (_, i) => `k${String(i).padStart(3, '0')}\ta ${i}\tb ${i}\n`)
  writeFileSync(join(folder, 'lines.tsv'), [...lines, 'no column\n'].join(''))
  const importTsv = [`${MAPREDUCE}ImportTsv`, '-Dimporttsv.columns=HBASE_ROW_KEY,f:a,g:b']
  await createTable(store, 'lines')
  await programs.run('ImportTsv', ...importTsv, 'lines', 'lines.tsv')
  answers.set('what ImportTsv left', await tableContents('lines', store))
  await createTable(store, 'loaded', ['k100', 'k200'])
  await programs.run(
    'ImportTsv into HFiles',
    ...importTsv,
    '-Dimporttsv.bulk.output=hfiles',
    'loaded',
    'lines.tsv',
  )
  answers.set('before the bulk load', await tableContents('loaded', store))
  await programs.run('completebulkload', `${HBASE}tool.BulkLoadHFilesTool`, join(folder, 'hfiles'), 'loaded')
  answers.set('what the bulk load left', await tableContents('loaded', store))
  await createTable(store, 'divided', ['k050', 'k150'])
  await programs.run(
    'ImportTsv into HFiles of one region',
    ...importTsv,
    '-Dimporttsv.bulk.output=whole',
    'lines',
    'lines.tsv',
  )
  await programs.run(
    'completebulkload over borders',
    `${HBASE}tool.BulkLoadHFilesTool`,
    join(folder, 'whole'),
    'divided',
  )
  answers.set('what it left', await tableContents('divided', store))
}

async function splitters(programs: Programs, store: Store): Promise<void> {
  for (const algorithm of ['HexStringSplit', 'UniformSplit']) {
    const table = `by_${algorithm}`
    await programs.run(
      `RegionSplitter ${algorithm}`,
      `${HBASE}util.RegionSplitter`,
      '-c',
      '5',
      '-f',
      'd',
      table,
      algorithm,
    )
    const regions = await store.catalog.regions(parseTableName(table), OWN_CALL)
    programs.answers.set(
      `regions ${algorithm}`,
      regions.map(({ startKey }) => toStringBinary(startKey)).join('\n'),
    )
  }
}

/** From `programs`' server to the other one, under another name, and back. */
async function copies(
  programs: Programs,
  { store, zookeeper }: TranscriptServer,
  folder: string,
): Promise<void> {
  const { server: other, stop } = await startServer('real', join(folder, 'other'))
  try {
    const back = new Programs(folder, other.zookeeper)
    await createTable(other.store, 'copied')
    await createTable(store, 'returned', ['r30'])
    const copyTable = `${MAPREDUCE}CopyTable`
    await programs.run(
      'CopyTable',
      copyTable,
      `--peer.adr=${clusterKey(other.zookeeper)}`,
      '--new.name=copied',
      'source',
    )
    const verify = [
      `${MAPREDUCE}replication.VerifyReplication`,
      '--peerTableName=copied',
      clusterKey(other.zookeeper),
    ]
    await programs.run('VerifyReplication', ...verify, 'source')
    await back.run(
      'CopyTable back',
      copyTable,
      `--peer.adr=${clusterKey(zookeeper)}`,
      '--new.name=returned',
      'copied',
    )
    for (const [step, answer] of back.answers) programs.answers.set(step, answer)
    programs.answers.set('what came back', await tableContents('returned', store))
  } finally {
    await stop()
  }
}

async function loadTests(programs: Programs): Promise<void> {
  const evaluation = [`${HBASE}PerformanceEvaluation`, '--nomapred', '--rows=1000', '--table=evaluated']
  for (const command of [
    'sequentialWrite',
    'randomWrite',
    'randomRead',
    'sequentialRead',
    'scan',
    'increment',
    'append',
  ])
    await programs.run(`PerformanceEvaluation ${command}`, ...evaluation, command, '2')
  const loadTest = [`${HBASE}util.LoadTestTool`, '-tn', 'load_test', '-num_keys', '300']
  const output = await programs.run('LoadTestTool', ...loadTest, '-write', '2:64:4', '-read', '100:4')
  const failed = [...output.matchAll(/Failed to (?:write|read) keys?: \d+|verification errors: \d+/g)]
  programs.answers.set('LoadTestTool says', failed.map(([text]) => text).join('\n'))
}

/** Parts are in the order of the recording; each needs the table `source` at most. */
const PARTS: Readonly<
  Record<string, (programs: Programs, server: TranscriptServer, folder: string) => Promise<void>>
> = {
  jobs: (programs, { store }, folder) => jobs(programs, store, folder),
  splitters: (programs, { store }) => splitters(programs, store),
  copies,
  replication: verifyReplication,
  'load-tests': (programs) => loadTests(programs),
}

async function run(
  server: TranscriptServer,
  folder: string,
  parts: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const programs = new Programs(folder, server.zookeeper)
  await fill(server.store)
  for (const [part, steps] of Object.entries(PARTS))
    if (parts.has(part)) await steps(programs, server, folder)
  return programs.answers
}

await runTranscript({ name: 'mapreduce', run, parts: Object.keys(PARTS) })
