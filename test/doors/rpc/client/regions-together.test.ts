/** A Multi of many regions answers and stores as one call for each of its regions, however long each change takes. */

import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { type CellBlock, CellBlockBuilder, cellsOf } from '../../../../src/model/cell-block.ts'
import { scan } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { withFacets, withMethods } from '../../../../src/store/decorate.ts'
import type { Store } from '../../../../src/store/store.ts'
import { ClientService } from '../../../../src/wire/rpc/gen/client_pb.ts'
import { SEED, testRuns } from '../../../harness/test-runs.ts'
import { oneCall } from '../one-call.ts'
import { type RpcServer, startRpcServer, TABLE } from '../rpc-server.ts'

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
const [PUT, DELETE] = [2, 3] as const

interface DrawnAction {
  readonly kind: 'put' | 'delete' | 'get' | 'unknown family'
  readonly row: string
}

interface DrawnRegion {
  readonly region: 'first' | 'last' | 'gone'
  readonly isEncoded: boolean
  readonly actions: readonly DrawnAction[]
}

const action: fc.Arbitrary<DrawnAction> = fc.record({
  kind: fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom('put', 'put', 'delete') },
    { weight: 1, arbitrary: fc.constantFrom('get', 'unknown family') },
  ),
  row: fc.constantFrom('a', 'n'),
})
const region: fc.Arbitrary<DrawnRegion> = fc.record({
  region: fc.oneof(
    { weight: 15, arbitrary: fc.constantFrom('first', 'last') },
    { weight: 1, arbitrary: fc.constant('gone') },
  ),
  isEncoded: fc.nat(9).map((n) => n === 0),
  actions: fc.oneof(
    { weight: 15, arbitrary: fc.array(action, { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constant([]) },
  ),
})

const servers: RpcServer[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** A server whose changes of a region take so many turns of the event loop, one after the other. */
async function serverWithTurns(turns: readonly number[]): Promise<RpcServer> {
  const own = openMemoryStore({ clock: Date })
  const { rows } = own
  let calls = 0
  const mutate: Store['rows']['mutate'] = async (...request) => {
    for (let left = turns[calls++ % turns.length]!; left > 0; left--)
      await new Promise((resolve) => setImmediate(resolve))
    return rows.mutate(...request)
  }
  const server = await startRpcServer({ own: withFacets(own, { rows: withMethods(rows, { mutate }) }) })
  servers.push(server)
  return server
}

/** All cells have one timestamp, so that their order counts. Each value is another number, from `number` on. */
async function regionActions(server: RpcServer, drawn: readonly DrawnRegion[], number: number) {
  const [first, last] = await server.store.catalog.regions(TABLE, OWN_CALL)
  const builder = new CellBlockBuilder()
  const gone = {
    name: bytes('t,gone,1.0123456789abcdef0123456789abcdef.'),
    encodedName: '0123456789abcdef'.repeat(2),
  }
  const regionAction = drawn.map(({ region: place, isEncoded, actions }) => {
    const named = { first: first!, last: last!, gone }[place]
    return {
      region: isEncoded ? { type: 2, value: bytes(named.encodedName) } : { type: 1, value: named.name },
      action: actions.map(({ kind, row }, index) => {
        if (kind === 'get') return { index, get: { row: bytes(row) } }
        const type = kind === 'delete' ? CellType.DeleteColumn : CellType.Put
        const family = bytes(kind === 'unknown family' ? 'x' : 'f')
        const value = bytes(kind === 'delete' ? '' : `${number}`)
        builder.append(bytes(row), family, bytes('q'), 0, 5, type, value)
        number++
        const mutateType = kind === 'delete' ? DELETE : PUT
        return { index, mutation: { row: bytes(row), mutateType, associatedCellCount: 1 } }
      }),
    }
  })
  return { regionAction, cells: builder.block() }
}

function bytesOf({ buffer, start, end }: CellBlock): Buffer {
  return Buffer.from(buffer.subarray(start, end))
}

/** The answers by region: exceptions by their classes, as their texts name the regions of one server. */
async function multi(server: RpcServer, drawn: readonly DrawnRegion[], number: number): Promise<unknown[]> {
  const { regionAction, cells } = await regionActions(server, drawn, number)
  const request = { regionAction } as object
  const answer = await oneCall(server.door.port, ClientService.method.multi, request, {
    cells: bytesOf(cells),
  })
  const results = answer.message.regionActionResult.map(({ resultOrException, exception }) => ({
    failed: exception?.name,
    actions: resultOrException.map(({ index, result, exception: of }) => ({
      index,
      failed: of?.name,
      cells: result?.associatedCellCount,
    })),
  }))
  return [...results, ...answer.cells().map(({ row, value }) => `${row.toString()}=${value.toString()}`)]
}

async function everyCell({ store }: RpcServer): Promise<string[]> {
  const query = scan({ raw: true, maxVersions: 1000 })
  const { id } = await store.rows.openScanner(TABLE, query, OWN_CALL)
  const limits = { rows: 10_000, bytes: 1 << 24, allowPartial: false }
  const { results } = await store.handouts.next(id, limits, OWN_CALL)
  return cellsOf(results.cells as CellBlock).map(
    ({ row, timestamp, type, value }) => `${row.toString()} ${timestamp} ${type} ${value.toString()}`,
  )
}

test('a Multi of many regions is one call for each of them', async () => {
  const together = await serverWithTurns([3, 0, 1, 0, 2])
  const apart = await serverWithTurns([0])
  let number = 1
  await fc.assert(
    fc.asyncProperty(fc.array(region, { maxLength: 12 }), async (drawn) => {
      const answered = await multi(together, drawn, number)
      const results: unknown[] = []
      const cells: unknown[] = []
      for (const each of drawn) {
        for (const part of await multi(apart, [each], number))
          if (typeof part === 'string') cells.push(part)
          else results.push(part)
        number += each.actions.filter(({ kind }) => kind !== 'get').length
      }
      expect(answered).toEqual([...results, ...cells])
      expect(await everyCell(together)).toEqual(await everyCell(apart))
    }),
    { numRuns: testRuns(60), ...(SEED !== undefined && { seed: SEED }) },
  )
})

/** The most changes of regions that the server has begun at a time, for puts of such a value to both regions. */
async function mostAtOnce(valueBytes: number): Promise<number> {
  const own = openMemoryStore({ clock: Date })
  const { rows } = own
  let begun = 0
  let most = 0
  const mutate: Store['rows']['mutate'] = async (...request) => {
    most = Math.max(most, ++begun)
    await new Promise((resolve) => setImmediate(resolve))
    begun--
    return rows.mutate(...request)
  }
  const server = await startRpcServer({ own: withFacets(own, { rows: withMethods(rows, { mutate }) }) })
  servers.push(server)
  const regions = await server.store.catalog.regions(TABLE, OWN_CALL)
  const builder = new CellBlockBuilder()
  const regionAction = regions.map(({ name }, i) => {
    const row = bytes(i === 0 ? 'a' : 'n')
    builder.append(row, bytes('f'), bytes('q'), 0, 5, CellType.Put, Buffer.alloc(valueBytes))
    const mutation = { row, mutateType: PUT, associatedCellCount: 1 }
    return { region: { type: 1 as const, value: name }, action: [{ index: 0, mutation }] }
  })
  const cells = bytesOf(builder.block())
  await oneCall(server.door.port, ClientService.method.multi, { regionAction }, { cells })
  return most
}

test('large changes of regions are begun one after the other, as they would keep other requests waiting', async () => {
  expect(await mostAtOnce(100)).toBe(2)
  expect(await mostAtOnce(200 * 1024)).toBe(1)
})
