/** The sizes of a scan's answers: cells count as in HBase, and each answer states whether rows are left. */

import { afterEach, expect, test } from 'vitest'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import { ClientService, type ScanResponse } from '../../../../src/wire/rpc/gen/client_pb.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { oneCall } from '../one-call.ts'
import { type RpcServer, startRpcServer, TABLE } from '../rpc-server.ts'

const CELLS = 30
/** KeyValues of 1077 bytes: HBase's TestPartialResultsFromClientSide has them, too. */
const VALUE = Buffer.alloc(1024, 1)
const QUALIFIERS = Array.from({ length: CELLS }, (_, i) => `qualifier-${String(10 + i)}-${'x'.repeat(11)}`)
/** Bytes that HBase counts for a cell: its KeyValue, and 32 for the object. */
const CELL_BYTES = 1077 + 32

const stores: Readonly<Record<string, () => Store | Promise<Store>>> = {
  memory: () => openMemoryStore({ clock: Date }),
  native: () =>
    openNativeStore({
      directory: '/store',
      fileSystem: new CrashableFileSystem(),
      clock: Date,
      random: Math.random,
    }),
}

let server: RpcServer

afterEach(() => server.close())

async function start(store: string, rows: readonly string[], qualifiers: readonly string[]): Promise<void> {
  server = await startRpcServer({ own: await stores[store]!() })
  const batch = new MutationBatch()
  for (const row of rows) {
    for (const q of qualifiers) batch.put(Buffer.from(row), Buffer.from('f'), Buffer.from(q), VALUE)
    batch.endMutation()
  }
  expect(await server.store.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
}

async function answers(scan: object, numberOfRows: number): Promise<ScanResponse[]> {
  const [region] = await server.store.catalog.regions(TABLE, OWN_CALL)
  const found: ScanResponse[] = []
  let of: object = { region: { type: 1, value: region!.name }, scan }
  for (;;) {
    const asked = { ...of, numberOfRows, clientHandlesPartials: true }
    const { message } = await oneCall(server.door.port, ClientService.method.scan, asked)
    found.push(message)
    if (!message.moreResultsInRegion) return found
    of = { scannerId: message.scannerId }
  }
}

/** For each answer, the cells of its results. */
function counts(found: readonly ScanResponse[]): number[][] {
  return found.map(({ cellsPerResult }) => [...cellsPerResult]).filter((each) => each.length > 0)
}

const kinds = Object.keys(stores).flatMap((store) => [[store, false] as const, [store, true] as const])

test.each(kinds)(
  '%s, reversed %s: a program’s limit of bytes counts objects, too',
  async (store, reversed) => {
    await start(store, ['a-row-01'], QUALIFIERS)
    for (const cells of [1, 2, 3, 7, 10, 29, 30]) {
      const found = await answers({ maxResultSize: BigInt(cells * CELL_BYTES), reversed }, 100)
      const whole = Array.from({ length: Math.floor(CELLS / cells) }, () => [cells])
      expect(counts(found)).toEqual(CELLS % cells === 0 ? whole : [...whole, [CELLS % cells]])
    }
  },
)

test.each(kinds)('%s, reversed %s: a batch ends a part before the limit does', async (store, reversed) => {
  await start(store, ['a-row-01'], QUALIFIERS.slice(0, 10))
  const scan = { maxResultSize: BigInt(7 * CELL_BYTES), batchSize: 4, reversed }
  expect(counts(await answers(scan, 100))).toEqual([[4, 3], [3]])
})

test.each(kinds)('%s, reversed %s: the usual limit counts bytes alone', async (store, reversed) => {
  await start(store, ['a-row-01'], QUALIFIERS)
  expect(counts(await answers({ maxResultSize: 2_097_152n, reversed }, 100))).toEqual([[CELLS]])
})

test('a filter of whole rows hides a row that limits would cut', async () => {
  await start('native', ['a-row-01', 'a-row-02'], QUALIFIERS.slice(0, 3))
  const filter = {
    name: 'org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter',
    serializedFilter: Buffer.alloc(0),
  }
  expect(counts(await answers({ maxResultSize: BigInt(CELL_BYTES), filter }, 100))).toEqual([[1], [1]])
})

test.each([1, 2, 4])('%i rows at a time: the answer with the last row says so', async (rows) => {
  await start('native', ['a', 'b', 'c', 'd'], ['q'])
  const found = await answers({}, rows)
  expect(counts(found).flat()).toEqual([1, 1, 1, 1])
  expect(found).toHaveLength(4 / rows)
})
