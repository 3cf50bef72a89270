/**
 * A get whose answer waits for memory has let go of the cells that it has read, at each door: many clients that wait with a cell of a
 * megabyte each would otherwise take what the server does not have.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import { MemoryBudget } from '../../src/gateway/limits/memory-budget.ts'
import { CellBlock } from '../../src/model/cell-block.ts'
import { collector } from '../../src/model/collector.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { gathered } from '../../src/model/results.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { withFacets } from '../../src/store/decorate.ts'
import type { Handouts } from '../../src/store/handouts.ts'
import type { Rows } from '../../src/store/rows.ts'
import type { Store } from '../../src/store/store.ts'
import { ClientService } from '../../src/wire/rpc/gen/client_pb.ts'
import { type DoorsOverStore, openDoorsOver } from '../harness/doors-over-store.ts'
import { thriftPackage } from '../harness/thrift-package.ts'
import type { StubClient, ThriftStubs } from '../harness/thrift-stubs.ts'
import { oneCall } from './rpc/one-call.ts'
import { THRIFT1, THRIFT2 } from './thrift/service/thrift-server.ts'

const TABLE = parseTableName('t')
const VALUE_BYTES = 1_000_000
const BUDGET_BYTES = 100_000_000
/** Of others: the rest is enough for a scanner. */
const TAKEN_BYTES = BUDGET_BYTES - 100_000
const row = Buffer.from('r')
const { method } = ClientService

const memory = new MemoryBudget(BUDGET_BYTES)
const own = openMemoryStore({ clock: Date })
/** The memory of the cells that gets have found. */
const found: WeakRef<ArrayBufferLike>[] = []
let doors: DoorsOverStore
let thrift: { readonly one: StubClient; readonly two: StubClient; readonly end: () => void }
let region: Buffer

beforeAll(async () => {
  const { catalog, rows } = own
  await catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
  const batch = new MutationBatch()
  batch.put(row, Buffer.from('f'), Buffer.from('q'), Buffer.alloc(VALUE_BYTES, 'v'), 1n).endMutation()
  await rows.mutate(TABLE, batch, OWN_CALL)
  region = (await catalog.regions(TABLE, OWN_CALL))[0]!.name
  doors = await openDoorsOver(withFacets(own, { rows: noting(own), handouts: notingScans(own) }), {}, memory)
  thrift = thriftClients(doors.ports.thrift)
})
afterAll(async () => {
  thrift.end()
  await doors.close()
  await own.close()
})

/** Reads have their cells in memory of their own, as those of the embedded engine do. */
function noted(cells: CellBlock): CellBlock {
  const copy = Buffer.alloc(cells.byteLength)
  cells.buffer.copy(copy, 0, cells.start, cells.end)
  found.push(new WeakRef(copy.buffer))
  return new CellBlock(copy)
}

function noting({ rows }: Store): Rows {
  return {
    get: async (...asked) => {
      const { cells, counts } = await rows.get(...asked)
      return { cells: noted(cells), counts }
    },
    openScanner: (...asked) => rows.openScanner(...asked),
    mutate: (...asked) => rows.mutate(...asked),
    mutateRow: (...asked) => rows.mutateRow(...asked),
    mutateRows: (...asked) => rows.mutateRows(...asked),
  }
}

function notingScans({ handouts }: Store): Handouts {
  return {
    next: async (...asked) => {
      const batch = await handouts.next(...asked)
      const { cells, counts } = gathered(batch.results)
      return { ...batch, results: { cells: noted(cells), counts } }
    },
    closeScanner: (...asked) => handouts.closeScanner(...asked),
    release: (...asked) => handouts.release(...asked),
  }
}

function thriftClients(port: number): typeof thrift {
  const clientOf = (stubs: ThriftStubs): { client: StubClient; end: () => void } => {
    const connection = thriftPackage.createConnection('127.0.0.1', port, {
      transport: thriftPackage.TBufferedTransport,
      protocol: thriftPackage.TBinaryProtocol,
    })
    return {
      client: thriftPackage.createClient(stubs, connection) as StubClient,
      end: () => connection.destroy(),
    }
  }
  const [one, two] = [clientOf(THRIFT1), clientOf(THRIFT2)]
  const end = (): void => {
    one.end()
    two.end()
  }
  return { one: one.client, two: two.client, end }
}

async function rest(path: string, accept: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${doors.ports.rest}${path}`, { headers: { accept } })
  await answer.arrayBuffer()
  expect(answer.status).toBe(200)
}

async function firstPage(): Promise<void> {
  const id = await thrift.one['scannerOpenWithScan']!('t', {}, {})
  expect(await thrift.one['scannerGetList']!(id, 10)).toHaveLength(1)
  await thrift.one['scannerClose']!(id)
}

const specified = () => ({ type: 1 as const, value: region })
const multi = (codec?: string): Promise<unknown> => {
  const action = [{ index: 0, get: { row } }]
  return oneCall(
    doors.ports.rpc,
    method.multi,
    { regionAction: [{ region: specified(), action }] },
    codec === undefined ? {} : { codec },
  )
}

const CALLS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['REST, a cell', () => rest('/t/r/f:q', 'application/octet-stream')],
  ['REST, a row', () => rest('/t/r', 'application/json')],
  ['REST, a multiget', () => rest('/t/multiget?row=r', 'text/xml')],
  ['Thrift 1, getRow', () => thrift.one['getRow']!('t', 'r', {})],
  ['Thrift 1, getRows', () => thrift.one['getRows']!('t', ['r'], {})],
  ['Thrift 2, get', () => thrift.two['get']!('t', { row: 'r' })],
  ['Thrift 2, getMultiple', () => thrift.two['getMultiple']!('t', [{ row: 'r' }])],
  ['Thrift 1, the first page of a scanner', firstPage],
  ['Thrift 2, getScannerResults', () => thrift.two['getScannerResults']!('t', { startRow: 'r' }, 1)],
  [
    'native RPC, a get with a cell block',
    () => oneCall(doors.ports.rpc, method.get, { region: specified(), get: { row } }),
  ],
  [
    'native RPC, a get with its cells in the message',
    () => oneCall(doors.ports.rpc, method.get, { region: specified(), get: { row } }, { codec: '' }),
  ],
  ['native RPC, gets with a cell block', () => multi()],
  ['native RPC, gets with their cells in the message', () => multi('')],
]

test.each(CALLS)('%s', async (_, ask) => {
  found.length = 0
  memory.note(TAKEN_BYTES)
  const answered = ask()
  let kept: unknown[]
  try {
    await expect.poll(() => memory.isWaitedFor).toBe(true)
    // A weak reference that was made in this turn is a strong one until its end.
    await nextTurn()
    collector()()
    kept = found.map((cells) => cells.deref())
  } finally {
    memory.give(TAKEN_BYTES)
  }
  await answered
  expect(kept).toEqual([undefined])
  expect(found).toHaveLength(2)
  await expect.poll(() => memory.granted).toBe(0)
})
