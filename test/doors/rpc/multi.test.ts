/** The answers to mutations, single ones and several of one row, as the Java client reads them. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { get } from '../../../src/model/query.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { ClientService } from '../../../src/wire/rpc/gen/client_pb.ts'
import { oneCall } from './one-call.ts'
import { type RpcServer, startRpcServer, TABLE } from './rpc-server.ts'

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
const [APPEND, INCREMENT, PUT] = [0, 1, 2] as const
const column = (qualifier: string, value: Buffer) => ({
  family: bytes('f'),
  qualifierValue: [{ qualifier: bytes(qualifier), value }],
})
const names = (cells: readonly { qualifier: Uint8Array }[]): string[] =>
  cells.map(({ qualifier }) => Buffer.from(qualifier).toString())
const long = (value: number): Buffer => Buffer.from([0, 0, 0, 0, 0, 0, 0, value])
const SILENT = [{ name: '_rr_', value: Buffer.from([0]) }]

let server: RpcServer

beforeEach(async () => {
  server = await startRpcServer()
})

afterEach(() => server.close())

async function firstRegion() {
  const [region] = await server.store.catalog.regions(TABLE, OWN_CALL)
  return { type: 1, value: region!.name } as const
}

test('actions that state no index are numbered by their place, as those of a RowMutations', async () => {
  const action = (mutateType: 1 | 2, qualifier: string, value: Buffer) => ({
    mutation: { row: bytes('a'), mutateType, columnValue: [column(qualifier, value)] },
  })
  const one = Buffer.alloc(8)
  one[7] = 1
  const { message } = await oneCall(server.door.port, ClientService.method.multi, {
    regionAction: [
      {
        region: await firstRegion(),
        atomic: true,
        action: [action(PUT, 'q', bytes('v')), action(INCREMENT, 'n', one), action(PUT, 'r', bytes('w'))],
      },
    ],
  })
  const [result] = message.regionActionResult
  expect(result!.resultOrException.map(({ index }) => index)).toEqual([0, 1, 2])
  expect(result!.resultOrException[0]!.result!.cell.map(({ value }) => Buffer.from(value))).toEqual([one])
})

test('a client that wants no result of an append gets an empty one', async () => {
  const mutation = { row: bytes('a'), mutateType: APPEND, columnValue: [column('q', bytes('v'))] }
  const region = await firstRegion()
  const { mutate } = ClientService.method
  const answer = await oneCall(server.door.port, mutate, { region, mutation })
  expect(answer.message.result?.associatedCellCount).toBe(1)
  const silent = await oneCall(server.door.port, mutate, {
    region,
    mutation: { ...mutation, attribute: SILENT },
  })
  expect(silent.message.result).toMatchObject({ cell: [], associatedCellCount: 0 })
})

test('the mutations of a RowMutations keep times to live of their own, and each its wish for a result', async () => {
  const mutation = (
    mutateType: 1 | 2,
    qualifier: string,
    attribute: { name: string; value: Buffer }[],
    timestamp?: bigint,
  ) => ({
    mutation: {
      row: bytes('a'),
      mutateType,
      columnValue: [column(qualifier, long(1))],
      attribute,
      ...(timestamp !== undefined && { timestamp }),
    },
  })
  const expired = { name: '_ttl', value: long(1) }
  const { message } = await oneCall(server.door.port, ClientService.method.multi, {
    regionAction: [
      {
        region: await firstRegion(),
        atomic: true,
        action: [
          mutation(PUT, 'expired', [expired], 1000n),
          mutation(PUT, 'kept', []),
          mutation(INCREMENT, 'silent', SILENT),
          mutation(INCREMENT, 'shown', []),
        ],
      },
    ],
  })
  expect(names(message.regionActionResult[0]!.resultOrException[0]!.result!.cell)).toEqual(['shown'])
  const read = await server.store.rows.get(TABLE, [get(bytes('a'))], { bytes: 1000 }, OWN_CALL)
  expect(names(cellsOf(read.cells))).toEqual(['kept', 'shown', 'silent'])
})

test('gets come before puts and deletes, and behind those that an increment follows', async () => {
  const put = (value: string) => ({
    mutation: { row: bytes('a'), mutateType: PUT, columnValue: [column('q', bytes(value))] },
  })
  const get = { get: { row: bytes('a'), column: [{ family: bytes('f'), qualifier: [bytes('q')] }] } }
  const increment = {
    mutation: { row: bytes('a'), mutateType: INCREMENT, columnValue: [column('n', long(1))] },
  }
  const actions = [put('1'), get, increment, get, put('2'), get].map((each, index) => ({ ...each, index }))
  const request = { regionAction: [{ region: await firstRegion(), action: actions }] }
  const { message } = await oneCall(server.door.port, ClientService.method.multi, request, { codec: '' })
  const answers = message.regionActionResult[0]!.resultOrException
  const of = (place: number) => answers.find(({ index }) => index === place)!.result!
  expect([1, 3, 5].map((place) => of(place).cell.map(({ value }) => Buffer.from(value).toString()))).toEqual([
    [],
    ['1'],
    ['1'],
  ])
  expect(answers.map(({ index }) => index)).toEqual([1, 0, 2, 3, 5, 4])
})
