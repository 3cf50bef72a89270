/** Heartbeats, and their cursors, of scans that read many blocks without a result. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { ClientService, type ScanResponse } from '../../../../src/wire/rpc/gen/client_pb.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { oneCall } from '../one-call.ts'
import { type RpcServer, startRpcServer, TABLE } from '../rpc-server.ts'

/** A value so long that each row fills a block. */
const VALUE = Buffer.alloc(80_000, 'v')
const ROWS = Array.from({ length: 12 }, (_, index) => `a${String(index).padStart(2, '0')}`)
/** No row has the column. */
const ABSENT = { family: Buffer.from('f'), qualifier: [Buffer.from('absent')] }

let server: RpcServer

beforeEach(async () => {
  const store = await openNativeStore({
    directory: '/store',
    fileSystem: new CrashableFileSystem(),
    clock: { now: () => 1_700_000_000_000 },
    random: Math.random,
  })
  // As many as four blocks have.
  server = await startRpcServer({ own: store, limits: { responseBytesMax: 4 * VALUE.length } })
  const batch = new MutationBatch()
  for (const row of ROWS) batch.put(Buffer.from(row), Buffer.from('f'), Buffer.from('q'), VALUE).endMutation()
  expect(await server.store.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
})

afterEach(() => server.close())

async function answers(scan: object, handles: boolean): Promise<ScanResponse[]> {
  const [region] = await server.store.catalog.regions(TABLE, OWN_CALL)
  const found: ScanResponse[] = []
  const how = { numberOfRows: 100, clientHandlesPartials: handles, clientHandlesHeartbeats: handles }
  let of: object = { region: { type: 1, value: region!.name }, scan: { column: [ABSENT], ...scan } }
  for (;;) {
    const { message } = await oneCall(server.door.port, ClientService.method.scan, { ...of, ...how })
    found.push(message)
    if (!message.moreResultsInRegion) return found
    of = { scannerId: message.scannerId }
  }
}

function cursors(all: readonly ScanResponse[]): (string | undefined)[] {
  return all.map(({ cursor }) => cursor && Buffer.from(cursor.row).toString())
}

async function flush(): Promise<void> {
  await server.store.upkeep.flushes!.flushTable(TABLE, OWN_CALL)
}

test('a client that asks for cursors hears how far its scan has come, every so many bytes of blocks', async () => {
  await flush()
  const all = await answers({ needCursorResult: true }, true)
  expect(all.slice(0, -1).every(({ heartbeatMessage }) => heartbeatMessage)).toBe(true)
  expect(all.at(-1)!.heartbeatMessage).toBe(false)
  const seen = cursors(all).slice(0, -1)
  expect(seen.length).toBeGreaterThanOrEqual(2)
  expect(ROWS.filter((row) => seen.includes(row))).toEqual(seen)
})

test('without the wish, heartbeats have no cursors', async () => {
  await flush()
  const all = await answers({}, true)
  expect(all.length).toBeGreaterThanOrEqual(3)
  expect(cursors(all)).toEqual(all.map(() => undefined))
})

test('a client that does not know heartbeats gets none', async () => {
  await flush()
  const all = await answers({ needCursorResult: true }, false)
  expect(
    all.map(({ heartbeatMessage, moreResultsInRegion }) => [heartbeatMessage, moreResultsInRegion]),
  ).toEqual([[false, false]])
})

test('cells in memory are no blocks', async () => {
  expect(await answers({ needCursorResult: true }, true)).toHaveLength(1)
})
