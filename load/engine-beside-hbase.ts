/**
 * Tidegate's embedded engine beside a real HBase, region server and Thrift server, under the same Thrift calls:
 * `npm run bench:beside-hbase`. Starts an HBase of its own (Java and Maven are needed).
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChildServer } from '../test/harness/child-server.ts'
import { askOnce, closedLoop, isWholeFrame } from '../test/harness/closed-loop.ts'
import { missingTools } from '../test/harness/real-hbase/jars.ts'
import { RealHBase } from '../test/harness/real-hbase/real-hbase.ts'
import { checkAnswer, createTable, mutateRows } from '../test/harness/thrift-frames.ts'
import { readThriftAnswer } from './answers/thrift-answer.ts'
import { unframed } from './gateway-requests.ts'
import { compare } from './side-by-side.ts'

const SERVE = new URL('../src/cli/main.js', import.meta.url).pathname
const CLIENTS = 16
const ROWS_A_CALL = 100
const CALLS = 1000
const VALUE = 'v'.repeat(100)
const TABLE = 'bench'
const GOAL = 4

/** Calls of rows all over the table. */
function batches(): Buffer[] {
  const rows = CALLS * ROWS_A_CALL
  return Array.from({ length: CALLS }, (_, call) => {
    const names = Array.from({ length: ROWS_A_CALL }, (_, i) => (call * ROWS_A_CALL + i) * 7919)
    const keys = names.map((name) => `row${String(name % rows).padStart(7, '0')}`)
    return mutateRows(TABLE, keys, 'f:q', VALUE)
  })
}

/** A buffered transport, as HBase's Thrift server uses by default: the table is made here over frames of Tidegate's only. */
async function run(hbase: RealHBase, folder: string): Promise<boolean> {
  const doors = [
    '--rest',
    'off',
    '--thrift',
    '0',
    '--rpc',
    'off',
    '--zookeeper',
    'off',
    '--web',
    'off',
    '--log-level',
    'warn',
  ]
  const tidegate = await ChildServer.start(SERVE, ['serve', '--store', `native:${folder}`, ...doors])
  try {
    const create = createTable(TABLE, 'f')
    const created = await askOnce(tidegate.port('thrift'), create, isWholeFrame)
    checkAnswer(created)
    const createdBytes = unframed(created).length
    await askOnce(hbase.ports.thrift1, unframed(create), (answer) => answer.length >= createdBytes)
    const frames = batches()
    const answer = await askOnce(tidegate.port('thrift'), frames[0]!, isWholeFrame)
    checkAnswer(answer)
    const requests = frames.map(unframed)
    const side = (pid: number | undefined, port: number) => ({
      pid,
      run: (durationMs: number) =>
        closedLoop({
          port,
          requests,
          answerBytes: unframed(answer).length,
          readAnswer: readThriftAnswer,
          connections: CLIENTS,
          durationMs,
        }),
    })
    return await compare({
      name: `Thrift mutateRows of ${ROWS_A_CALL} rows`,
      goal: GOAL,
      ours: side(tidegate.pid, tidegate.port('thrift')),
      peer: side(hbase.pidOf('thrift1'), hbase.ports.thrift1),
    })
  } finally {
    await tidegate.stop()
  }
}

const missing = missingTools()
if (missing.length > 0) throw new Error(`this benchmark needs ${missing.join(' and ')} on the path`)
const hbase = await RealHBase.start()
const folder = mkdtempSync(join(tmpdir(), 'tidegate-bench-'))
try {
  if (!(await run(hbase, folder))) process.exitCode = 1
} finally {
  await hbase.stop()
  rmSync(folder, { recursive: true, force: true })
}
