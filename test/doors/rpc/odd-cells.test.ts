/** Well-formed cells in a cell block, with rows or types that no table may have. */

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { scan } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { ClientService } from '../../../src/wire/rpc/gen/client_pb.ts'
import { testRuns } from '../../harness/test-runs.ts'
import { oneCall } from './one-call.ts'
import { type RpcServer, startRpcServer, TABLE } from './rpc-server.ts'

const [PREFIX, KEY_FIXED, PUT] = [12, 12, 4] as const
const ROW_BYTES_MAX = 0x7fff

let server: RpcServer

beforeAll(async () => {
  server = await startRpcServer()
})

afterAll(() => server.close())

/** A KeyValue behind its length, of a row of up to 65535 bytes. */
function cellOf(row: Buffer, type: number = PUT): Buffer {
  const [family, qualifier, value] = [Buffer.from('f'), Buffer.from('q'), Buffer.alloc(8)]
  const keyBytes = KEY_FIXED + row.length + family.length + qualifier.length
  const head = Buffer.alloc(PREFIX + 2)
  head.writeInt32BE(8 + keyBytes + value.length, 0)
  head.writeInt32BE(keyBytes, 4)
  head.writeInt32BE(value.length, 8)
  head.writeUInt16BE(row.length, PREFIX)
  const time = Buffer.from('0000000000000005', 'hex')
  return Buffer.concat([
    head,
    row,
    Buffer.from([family.length]),
    family,
    qualifier,
    time,
    Buffer.from([type]),
    value,
  ])
}

async function longestRows(): Promise<number[]> {
  const { id } = await server.store.rows.openScanner(TABLE, scan({}), OWN_CALL)
  const limits = { rows: 1000, bytes: 1 << 26, allowPartial: false }
  const { results } = await server.store.handouts.next(id, limits, OWN_CALL)
  const lengths = cellsOf(gathered(results).cells).map(({ row }) => row.length)
  await server.store.handouts.closeScanner(id)
  return lengths
}

test('a mutation whose row is that of its cells is refused where no row may be so long, or so short', async () => {
  const [first] = await server.store.catalog.regions(TABLE, OWN_CALL)
  const region = { type: 1, value: first!.name } as const
  const length = fc.oneof(
    fc.constantFrom(0, 1, ROW_BYTES_MAX - 1, ROW_BYTES_MAX, ROW_BYTES_MAX + 1, 0xffff),
    fc.nat({ max: 0xffff }),
  )
  const kind = fc.constantFrom<0 | 1 | 2>(0, 1, 2)
  await fc.assert(
    fc.asyncProperty(length, kind, fc.boolean(), async (rowBytes, mutateType, isMulti) => {
      const cells = cellOf(Buffer.alloc(rowBytes, 'a'))
      const mutation = { mutateType, associatedCellCount: 1 }
      const { mutate, multi } = ClientService.method
      const asked = isMulti
        ? oneCall(server.door.port, multi, { regionAction: [{ region, action: [{ mutation }] }] }, { cells })
        : oneCall(server.door.port, mutate, { region, mutation }, { cells })
      if (rowBytes === 0 || rowBytes > ROW_BYTES_MAX) await expect(asked).rejects.toThrow('Row length')
      else await asked
    }),
    { numRuns: testRuns(60) },
  )
  const lengths = await longestRows()
  expect(lengths.length).toBeGreaterThan(2)
  expect(Math.min(...lengths)).toBeGreaterThan(0)
  expect(Math.max(...lengths)).toBe(ROW_BYTES_MAX)
})

test('a cell is refused whose type is none of tables, in a delete also one that is no marker', async () => {
  const [first] = await server.store.catalog.regions(TABLE, OWN_CALL)
  const region = { type: 1, value: first!.name } as const
  const ask = (type: number, mutateType: 0 | 1 | 2 | 3): Promise<unknown> =>
    oneCall(
      server.door.port,
      ClientService.method.mutate,
      { region, mutation: { mutateType, associatedCellCount: 1 } },
      { cells: cellOf(Buffer.from('a'), type) },
    )
  for (const type of [0, 5, 9, 99, 255]) {
    for (const kind of [0, 1, 2] as const) await expect(ask(type, kind)).rejects.toThrow(`type is ${type}`)
    await expect(ask(type, 3)).rejects.toThrow('is not of type delete. Rowkey: a')
  }
  await expect(ask(PUT, 3)).rejects.toThrow('is not of type delete. Rowkey: a')
  for (const type of [8, 10, 12, 14]) await ask(type, 3)
  for (const type of [PUT, 8, 12]) await ask(type, 2)
})
