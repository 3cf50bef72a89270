/** Calls of Thrift 1, buffered and not framed, as HBase's Thrift server expects by default. */

import { askOnce, isWholeFrame } from '../../test/harness/closed-loop.ts'
import {
  i32Answer,
  mutateRows,
  scannerClose,
  scannerGetList,
  scannerOpenWithScan,
} from '../../test/harness/thrift-frames.ts'
import { readThriftAnswer } from '../answers/thrift-answer.ts'
import { type BenchTable, ROWS_PER_SCAN } from '../bench-table.ts'
import { bufferedScanLoop } from '../buffered-scan-loop.ts'
import { answerBytes, thriftPuts, unframed } from '../gateway-requests.ts'
import { thriftGetRequests } from '../get-requests.ts'
import type { Target } from './target.ts'
import { type About, runOf, type Tables, type Workload } from './workload.ts'

const ROWS_A_CALL = 100
const BATCHES = 500

/** Rows all over the table. */
function batches({ name, rows, valueBytes }: BenchTable): Buffer[] {
  const value = 'v'.repeat(valueBytes)
  return Array.from({ length: BATCHES }, (_, call) =>
    mutateRows(
      name,
      Array.from({ length: ROWS_A_CALL }, (_, i) => rows[((call * ROWS_A_CALL + i) * 7919) % rows.length]!),
      'f:q',
      value,
    ),
  )
}

/** A target on Tidegate's own engine, which tells how long answers are. */
interface Known {
  readonly engine: Target
}

/** Answers are equally long on all targets; Tidegate's tells how long, as it takes frames too. */
function calls({ engine }: Known, frames: readonly Buffer[], about: About): Workload {
  const requests = frames.map(unframed)
  return {
    ...about,
    door: 'thrift',
    isPaced: true,
    async prepare({ ports }, clients = about.clients) {
      const bytes = await answerBytes(engine.ports.thrift, frames[0]!)
      return runOf({
        port: ports.thrift,
        requests,
        answerBytes: bytes,
        readAnswer: readThriftAnswer,
        connections: clients,
      })
    },
  }
}

function scans({ engine }: Known, table: BenchTable, about: About): Workload {
  return {
    ...about,
    door: 'thrift',
    isPaced: false,
    async prepare({ ports }, clients = about.clients) {
      const port = engine.ports.thrift
      const opened = await askOnce(port, scannerOpenWithScan(table.name, ROWS_PER_SCAN), isWholeFrame)
      const id = i32Answer(opened)
      const page = await answerBytes(port, scannerGetList(id, ROWS_PER_SCAN))
      const bytes = { open: opened.length - 4, page, close: await answerBytes(port, scannerClose(id)) }
      const options = { port: ports.thrift, table, connections: clients, bytes }
      return (durationMs) => bufferedScanLoop({ ...options, durationMs })
    },
  }
}

export function thriftReads(targets: Known, { once, regions, files }: Tables): Workload[] {
  const gets = thriftGetRequests(once)
  const ofState = (table: BenchTable, state: string): Workload =>
    calls(targets, thriftGetRequests(table), {
      name: `Thrift getRow, ${state}`,
      clients: 16,
      goals: { engine: 4, cluster: 2.5 },
    })
  return [
    calls(targets, gets, { name: 'Thrift getRow', clients: 16, goals: { engine: 4, cluster: 2.5 } }),
    calls(targets, gets, { name: 'Thrift getRow', clients: 64, goals: { engine: 4, cluster: 3 } }),
    calls(targets, gets, { name: 'Thrift getRow', clients: 1, goals: { engine: 1.2, cluster: 1.2 } }),
    ofState(regions, '100 regions'),
    ofState(files, '8 store files'),
  ]
}

/** Of a table in the state that `state` names. */
export function thriftScans(targets: Known, table: BenchTable, state: string): Workload[] {
  const name = `Thrift scannerGetList(${ROWS_PER_SCAN}), ${state}`
  return [scans(targets, table, { name, clients: 16, goals: { engine: 6, cluster: 3 } })]
}

export function thriftWrites(targets: Known, { once }: Tables): Workload[] {
  const puts = thriftPuts(once)
  return [
    calls(targets, puts, { name: 'Thrift mutateRow', clients: 16, goals: { engine: 4, cluster: 2.5 } }),
    calls(targets, puts, { name: 'Thrift mutateRow', clients: 64, goals: { engine: 4, cluster: 3 } }),
    calls(targets, puts, { name: 'Thrift mutateRow', clients: 1, goals: { engine: 1.2, cluster: 1.2 } }),
    calls(targets, batches(once), {
      name: `Thrift mutateRows of ${ROWS_A_CALL}`,
      clients: 16,
      goals: { engine: 5, cluster: 2.5 },
    }),
  ]
}
