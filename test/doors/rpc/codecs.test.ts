/** The codecs that clients may name for cells. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { CellType } from '../../../src/model/cell.ts'
import { blockOf, cellsOf } from '../../../src/model/cell-block.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { get as getOf } from '../../../src/model/query.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { withFacets, withMethods } from '../../../src/store/decorate.ts'
import type { Rows } from '../../../src/store/rows.ts'
import { KEY_VALUE_CODEC, KEY_VALUE_CODEC_WITH_TAGS } from '../../../src/wire/rpc/connection-preamble.ts'
import { ClientService } from '../../../src/wire/rpc/gen/client_pb.ts'
import { openRpcStore } from '../../harness/rpc-store.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { oneCall } from './one-call.ts'
import { type RpcServer, startRpcServer, TABLE } from './rpc-server.ts'

const ROW = Buffer.from('a')
const { get, multi, mutate, scan } = ClientService.method

let server: RpcServer

beforeEach(async () => {
  // An engine keeps the bytes of cells unchanged.
  const store = await openNativeStore({
    directory: '/store',
    fileSystem: new CrashableFileSystem(),
    clock: { now: Date.now },
    random: Math.random,
  })
  server = await startRpcServer({ own: store })
})

afterEach(() => server.close())

function cell(qualifier: string): Buffer {
  const parts = { row: ROW, family: Buffer.from('f'), qualifier: Buffer.from(qualifier), timestamp: 5n }
  const { buffer, start, end } = blockOf([{ ...parts, type: CellType.Put, value: Buffer.from('value') }])
  return buffer.subarray(start, end)
}

function tagged(plain: Buffer, tags: Buffer): Buffer {
  const bytes = Buffer.concat([plain, Buffer.from([tags.length >> 8, tags.length & 0xff]), tags])
  bytes.writeInt32BE(bytes.length - 4)
  return bytes
}

const OWN = Buffer.from([0, 2, 65, 1])

async function regionOfRow(): Promise<{ type: 1; value: Buffer }> {
  const [found] = await server.store.catalog.regions(TABLE, OWN_CALL)
  return { type: 1, value: found!.name }
}

async function putWith(codec: string, ...cells: readonly Buffer[]): Promise<void> {
  const region = await regionOfRow()
  const mutation = { row: ROW, mutateType: 2 as const, associatedCellCount: cells.length }
  await oneCall(server.door.port, mutate, { region, mutation }, { codec, cells: Buffer.concat(cells) })
}

async function getAndScanWith(codec: string): Promise<Buffer[]> {
  const region = await regionOfRow()
  const { port } = server.door
  const regionAction = [{ region, action: [{ index: 0, get: { row: ROW } }] }]
  const answers = [
    await oneCall(port, get, { region, get: { row: ROW } }, { codec }),
    await oneCall(port, multi, { regionAction }, { codec }),
    await oneCall(port, scan, { region, scan: {}, numberOfRows: 9 }, { codec }),
  ]
  return answers.map(({ block }) => block)
}

// HBase answers any client in this way.
test('a client whose codec has tags writes and reads them', async () => {
  await putWith(KEY_VALUE_CODEC_WITH_TAGS, cell('p'), tagged(cell('q'), OWN))
  const withTags = Buffer.concat([cell('p'), tagged(cell('q'), OWN)])
  const without = Buffer.concat([cell('p'), cell('q')])
  for (const block of await getAndScanWith(KEY_VALUE_CODEC_WITH_TAGS)) expect(block).toEqual(withTags)
  for (const block of await getAndScanWith(KEY_VALUE_CODEC)) expect(block).toEqual(without)
})

test('the store hears which clients have such a codec', async () => {
  await server.close()
  const store = await openNativeStore({
    directory: '/store',
    fileSystem: new CrashableFileSystem(),
    clock: { now: Date.now },
    random: Math.random,
  })
  const heard: boolean[] = []
  const rows = withMethods(store.rows, {
    get: (target, gets, limits, call) => {
      heard.push(call.withTags)
      return store.rows.get(target, gets, limits, call)
    },
  } satisfies Partial<Rows>)
  server = await startRpcServer({ own: withFacets(store, { rows }) })
  const region = await regionOfRow()
  for (const codec of [KEY_VALUE_CODEC_WITH_TAGS, KEY_VALUE_CODEC])
    for (const user of ['', 'ann'])
      await oneCall(server.door.port, get, { region, get: { row: ROW } }, { codec, user })
  expect(heard).toEqual([true, true, false, false])
})

test('the bytes behind the cells of other clients are left out', async () => {
  await putWith(KEY_VALUE_CODEC, cell('p'), tagged(cell('q'), OWN), cell('r'))
  const { port } = server.door
  const region = await regionOfRow()
  const regionAction = [
    { region, action: [{ mutation: { row: ROW, mutateType: 2 as const, associatedCellCount: 1 } }] },
  ]
  await oneCall(port, multi, { regionAction }, { cells: tagged(cell('s'), OWN) })
  const plain = Buffer.concat([cell('p'), cell('q'), cell('r'), cell('s')])
  for (const block of await getAndScanWith(KEY_VALUE_CODEC_WITH_TAGS)) expect(block).toEqual(plain)
})

test('a client whose codec has tags gets those of what it has counted', async () => {
  const region = await regionOfRow()
  const amount = blockOf([
    {
      row: ROW,
      family: Buffer.from('f'),
      qualifier: Buffer.from('n'),
      timestamp: 5n,
      type: CellType.Put,
      value: Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]),
    },
  ])
  const cells = tagged(amount.buffer.subarray(amount.start, amount.end), OWN)
  const mutation = { row: ROW, mutateType: 1 as const, associatedCellCount: 1 }
  const { port } = server.door
  const codec = KEY_VALUE_CODEC_WITH_TAGS
  expect((await oneCall(port, mutate, { region, mutation }, { codec, cells })).block).toEqual(cells)
  const plain = await oneCall(port, mutate, { region, mutation }, { cells })
  expect(plain.block.length).toBe(amount.byteLength)
})

test.each([
  ['a length that is not theirs', Buffer.from([0, 9, 0, 2, 65, 1])],
  ['a tag that is cut off', Buffer.from([0, 4, 0, 9, 65, 1])],
  ['a tag without a type', Buffer.from([0, 2, 0, 0])],
  ['a single byte', Buffer.from([0])],
])('tags of %s are refused', async (_, behind) => {
  const bytes = Buffer.concat([cell('q'), behind])
  bytes.writeInt32BE(bytes.length - 4)
  await expect(putWith(KEY_VALUE_CODEC_WITH_TAGS, bytes)).rejects.toThrow('are no tags')
})

test('a client without a codec gets cells within messages', async () => {
  const [found] = await server.store.catalog.regions(TABLE, OWN_CALL)
  const region = { type: 1, value: found!.name } as const
  const columnValue = [{ family: Buffer.from('f'), qualifierValue: [{ qualifier: ROW, value: ROW }] }]
  const mutation = { row: ROW, mutateType: 2 as const, columnValue }
  await oneCall(server.door.port, mutate, { region, mutation }, { codec: '' })
  const { message, block } = await oneCall(
    server.door.port,
    get,
    { region, get: { row: ROW } },
    { codec: '' },
  )
  expect([message.result!.cell.length, block.length]).toEqual([1, 0])
})

test('a client without a codec learns, too, which results of a scan are parts of rows', async () => {
  const [found] = await server.store.catalog.regions(TABLE, OWN_CALL)
  const region = { type: 1, value: found!.name } as const
  const cells = Buffer.concat([cell('p'), cell('q'), cell('r')])
  const mutation = { row: ROW, mutateType: 2 as const, associatedCellCount: 3 }
  const { port } = server.door
  await oneCall(port, mutate, { region, mutation }, { cells })
  const asked = { region, scan: { batchSize: 2 }, numberOfRows: 10, clientHandlesPartials: true }
  const { message } = await oneCall(port, scan, asked, { codec: '' })
  expect(message.results.map((each) => [each.cell.length, each.partial])).toEqual([
    [2, true],
    [1, false],
  ])
})

test.each(['GzipCodec', 'DefaultCodec', 'SnappyCodec'])(
  'small and large cell blocks come and go compressed by %s',
  async (codec) => {
    const client = await openRpcStore(server.door.port, {
      compressorClass: `org.apache.hadoop.io.compress.${codec}`,
    })
    const sizes = [0, 1, 900, 20_000, 70_000, 300_000]
    const batch = new MutationBatch()
    for (const [row, size] of sizes.entries()) {
      const value = Buffer.from(Array.from({ length: size }, (_, i) => (i * 7 + (i >> 8)) & 0xff))
      batch.put(Buffer.from(`row${row}`), Buffer.from('f'), ROW, value).endMutation()
    }
    expect(await client.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
    const gets = sizes.map((_, row) => getOf(Buffer.from(`row${row}`)))
    const limits = { bytes: 1 << 22 }
    const { cells } = await client.rows.get(TABLE, gets, limits, OWN_CALL)
    const direct = await server.store.rows.get(TABLE, gets, limits, OWN_CALL)
    expect(cellsOf(cells)).toEqual(cellsOf(direct.cells))
    expect(cellsOf(cells).map(({ value }) => value.length)).toEqual(sizes)
    await client.close()
    expect(server.memory.granted).toBe(0)
  },
)
