/** The disturbances of a server beside its usual work: floods of overwritten rows, rude clients, bursts and compactions. */

import { connect, type Socket } from 'node:net'
import { askOnce, isWholeFrame } from '../../test/harness/closed-loop.ts'
import { Thrift1Client } from '../../test/harness/demo/thrift1-client.ts'
import {
  checkAnswer,
  getRow,
  i32Answer,
  majorCompact,
  mutateRows,
  scannerGetList,
  scannerOpenWithScan,
} from '../../test/harness/thrift-frames.ts'
import type { Findings } from '../chaos/findings.ts'
import { randomBelow, randomOf, type StopSignal } from '../chaos/stop-signal.ts'

export const CHURN_TABLE = 'churn'
const CHURN_ROWS = 200_000
const CHURN_BATCH = 200
const CHURN_PAUSE_MS = 20
const RUDE_PAUSE_MS = 1500
const BURST_PAUSE_MS = 20_000
const COMPACT_PAUSE_MS = 45_000
const BURST_BODIES = 8
const BURST_ROWS = 40_000
const RUDE_MS = 200
/** A scan that stays open for so long goes on in what it began with, while its files are compacted and its regions split. */
const HELD_MS = 15_000
const HELD_PAGES = 40
const HELD_PAGE_ROWS = 500
const HELD_PAUSE_MS = 1000
const IDLE_CONNECTIONS = 50
const REFUSED_FOR_THE_MOMENT = 503

export interface Server {
  readonly rest: number
  readonly thrift: number
}

export interface Disturbed {
  readonly server: Server
  readonly findings: Findings
  readonly stop: StopSignal
  /** How often each thing was done. */
  readonly counts: Map<string, number>
}

/** Repeats one thing until the soak ends. */
async function again(
  context: Disturbed,
  what: string,
  pauseMs: number,
  once: () => Promise<void>,
): Promise<void> {
  const { stop, findings, counts } = context
  while (!stop.stopped) {
    try {
      await once()
      counts.set(what, (counts.get(what) ?? 0) + 1)
    } catch (error) {
      findings.fail(what, String(error).slice(0, 300))
    }
    await stop.sleep(pauseMs)
  }
}

export function disturbances(context: Disturbed): Promise<void>[] {
  const { server } = context
  return [
    again(context, 'batches of overwritten rows', CHURN_PAUSE_MS, () => churn(server)),
    again(context, 'rude clients', RUDE_PAUSE_MS, () =>
      randomOf([hangUpInScan, hangUpInFrame, hangUpInBody, leaveScanner, idle])(server),
    ),
    ...[1, 2, 3].map(() =>
      again(context, 'scans held open', HELD_PAUSE_MS, () => holdScan(server, context.stop)),
    ),
    again(context, 'bursts', BURST_PAUSE_MS, () => burst(server)),
    again(context, 'major compactions', COMPACT_PAUSE_MS, () => compact(server)),
  ]
}

async function churn({ thrift }: Server): Promise<void> {
  const from = randomBelow(CHURN_ROWS)
  const rows = Array.from({ length: CHURN_BATCH }, (_, i) => {
    return `row${String((from + i * 7919) % CHURN_ROWS).padStart(7, '0')}`
  })
  const value = randomBelow(1e9).toString(36).repeat(20)
  checkAnswer(await askOnce(thrift, mutateRows(CHURN_TABLE, rows, 'f:q', value), isWholeFrame))
}

async function compact({ thrift }: Server): Promise<void> {
  checkAnswer(await askOnce(thrift, majorCompact(CHURN_TABLE), isWholeFrame))
}

/** Rows come in order, and none twice, also those that are read long after the scan began. */
async function holdScan({ thrift }: Server, stop: StopSignal): Promise<void> {
  const client = new Thrift1Client(thrift)
  try {
    const id = await client.client['scannerOpenWithScan']!(CHURN_TABLE, {}, {})
    let last = ''
    for (let page = 0; page < HELD_PAGES; page++) {
      const rows = (await client.client['scannerGetList']!(id, HELD_PAGE_ROWS)) as { readonly row: Buffer }[]
      for (const name of rows.map(({ row }) => row.toString())) {
        if (name <= last) throw new Error(`row ${name} came after row ${last}`)
        last = name
      }
      if (rows.length === 0) break
      if (page === 0) await stop.sleep(HELD_MS)
    }
    await client.client['scannerClose']!(id)
  } finally {
    client.close()
  }
}

/** Bodies of some 4 MB at once, each of which is taken or refused for the moment. */
async function burst({ rest }: Server): Promise<void> {
  const column = Buffer.from('f:b').toString('base64')
  const row = (i: number): string => {
    const key = Buffer.from(`row${String(i % CHURN_ROWS).padStart(7, '0')}`).toString('base64')
    return `{"key":"${key}","Cell":[{"column":"${column}","$":"dmFsdWU="}]}`
  }
  const body = `{"Row":[${Array.from({ length: BURST_ROWS }, (_, i) => row(i)).join(',')}]}`
  const statuses = await Promise.all(
    Array.from({ length: BURST_BODIES }, async () => {
      const headers = { 'content-type': 'application/json' }
      const url = `http://127.0.0.1:${rest}/${CHURN_TABLE}/false-row`
      const answer = await fetch(url, { method: 'PUT', headers, body })
      await answer.arrayBuffer()
      return answer.status
    }),
  )
  const strange = statuses.filter((status) => status !== 200 && status !== REFUSED_FOR_THE_MOMENT)
  if (strange.length > 0) throw new Error(`answers to a burst: ${strange.join()}`)
}

/** Reads the beginning of the answer to a scan of all rows. */
function hangUpInScan({ rest }: Server): Promise<void> {
  const request = `GET /${CHURN_TABLE}/* HTTP/1.1\r\nHost: soak\r\nAccept: application/json\r\n\r\n`
  return rude(rest, Buffer.from(request), (socket) => socket.once('data', () => socket.pause()))
}

function hangUpInFrame({ thrift }: Server): Promise<void> {
  const frame = getRow(CHURN_TABLE, 'row0000001')
  return rude(thrift, frame.subarray(0, randomBelow(frame.length)))
}

function hangUpInBody({ rest }: Server): Promise<void> {
  const head = `PUT /${CHURN_TABLE}/r HTTP/1.1\r\nHost: soak\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`
  return rude(rest, Buffer.from(`${head}{"Row":[`))
}

/** Its lease runs out. */
async function leaveScanner({ thrift }: Server): Promise<void> {
  const id = i32Answer(await askOnce(thrift, scannerOpenWithScan(CHURN_TABLE, 100), isWholeFrame))
  checkAnswer(await askOnce(thrift, scannerGetList(id, 10), isWholeFrame))
}

async function idle({ rest, thrift }: Server): Promise<void> {
  const all = Array.from({ length: IDLE_CONNECTIONS }, (_, i) => {
    return rude(i % 2 === 0 ? rest : thrift, Buffer.alloc(0))
  })
  await Promise.all(all)
}

function rude(port: number, bytes: Buffer, prepare?: (socket: Socket) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    prepare?.(socket)
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.write(bytes)
      setTimeout(() => {
        socket.resetAndDestroy()
        resolve()
      }, RUDE_MS)
    })
  })
}
