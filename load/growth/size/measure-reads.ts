/** Gets and scans of a server with a store of some size. */

import { scan } from '../../../src/model/query.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { closedLoop, type LoopResult } from '../../../test/harness/closed-loop.ts'
import { getRow } from '../../../test/harness/thrift-frames.ts'
import { ROUND_MS } from '../series.ts'
import type { SizeServer } from './size-server.ts'
import { keyText, NAME, randomRows, TABLE } from './sized-rows.ts'

const COLD_ROWS = 20_000
/** Their blocks fit in the cache of a server at every size. */
const HOT_ROWS = 2000
const CONNECTIONS = 16
const SCAN_MS = 10_000
const SCAN = { rows: 1000, bytes: 2 * 1024 * 1024, allowPartial: false }

function gets(
  { child }: SizeServer,
  rows: readonly number[],
  connections: number,
  durationMs: number,
): Promise<LoopResult> {
  const requests = rows.map((row) => getRow(NAME, keyText(row)))
  return closedLoop({ port: child.port('thrift'), requests, answerBytes: 'framed', connections, durationMs })
}

/** Rows that the cache does not have; call it after a start whose pages were forgotten. */
export async function coldGets(server: SizeServer, rows: number): Promise<Record<string, number>> {
  const cold = await gets(server, randomRows(rows, COLD_ROWS, 1), 1, ROUND_MS)
  return { 'p50 of a get from the disk, ms': cold.p50Ms, 'p99 of a get from the disk, ms': cold.p99Ms }
}

export async function warmGets(server: SizeServer, rows: number): Promise<Record<string, number>> {
  const hot = randomRows(rows, HOT_ROWS, 2)
  await gets(server, hot, CONNECTIONS, ROUND_MS)
  const before = server.child.cpuSeconds()
  const warm = await gets(server, hot, CONNECTIONS, ROUND_MS)
  const seconds = server.child.cpuSeconds() - before
  return {
    // On a machine with other work this says more than the times.
    'processor time of a get from the cache, us': (seconds * 1e6) / warm.calls,
    'gets from the cache a second': warm.callsPerSecond,
    'p50 of a get from the cache, ms': warm.p50Ms,
    'p99 of a get from the cache, ms': warm.p99Ms,
  }
}

/** One scan from the first row on, for some seconds. */
export async function scanned({ rows, handouts }: Store): Promise<Record<string, number>> {
  const { id } = await rows.openScanner(TABLE, scan({}), OWN_CALL)
  const since = performance.now()
  let [seen, bytes] = [0, 0]
  for (let ended = false; !ended && performance.now() - since < SCAN_MS; ) {
    const { results, ended: why } = await handouts.next(id, SCAN, OWN_CALL)
    seen += results.counts.length
    bytes += results.cells.byteLength
    ended = why === 'scan'
  }
  const seconds = (performance.now() - since) / 1000
  await handouts.closeScanner(id)
  return { 'rows scanned a second': seen / seconds, 'MB scanned a second': bytes / 1e6 / seconds }
}
