/** Long filters of requests are decoded in several turns of the event loop, with the same result as in one. */

import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { readLargeMulti, readMulti } from '../../../src/doors/rpc/client/read-multi.ts'
import { clientRelease } from '../../../src/doors/rpc/contract/client-release.ts'
import type { RpcRequest } from '../../../src/doors/rpc/contract/rpc-service.ts'
import { multiRowMutationEndpoint } from '../../../src/doors/rpc/endpoints/multi-row-mutation.ts'
import { readInTurns } from '../../../src/doors/rpc/messages/read-in-turns.ts'
import { readScanRequest } from '../../../src/doors/rpc/messages/read-scan-request.ts'
import type { NamedRegion } from '../../../src/doors/rpc/regions/named-region.ts'
import { decodeFilter } from '../../../src/filter/protobuf/decode-filter.ts'
import { filterMessage } from '../../../src/filter/protobuf/encode-filter.ts'
import type { AdvertisedStore } from '../../../src/gateway/catalog/advertised.ts'
import type { Filter } from '../../../src/model/filter.ts'
import { MutationBatch, type RowsMutation } from '../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import {
  type MultiRequestSchema as Multi,
  MultiRequestSchema,
  ScanRequestSchema,
} from '../../../src/wire/rpc/gen/client_pb.ts'
import { FilterSchema } from '../../../src/wire/rpc/gen/filter_pb.ts'
import { MutateRowsRequestSchema } from '../../../src/wire/rpc/gen/multi-row-mutation_pb.ts'
import { Unread } from '../../../src/wire/rpc/long-values.ts'
import { MessageReader } from '../../../src/wire/rpc/message-reader.ts'

const bytes = (text: string): Buffer => Buffer.from(text)
const region = { type: 1, value: bytes('region') } as const
const ACTIONS_MAX = 1000

function longFilter(name: string, parts = 600): ReturnType<typeof filterMessage> {
  const filters = Array.from(
    { length: parts },
    (_, i): Filter => ({ kind: 'PrefixFilter', prefix: bytes(`${name}${i}`) }),
  )
  return filterMessage({ kind: 'FilterList', operator: 'MUST_PASS_ONE', filters })
}

function multiRequest(
  regionAction: NonNullable<MessageInitShape<typeof Multi>['regionAction']>,
): () => RpcRequest {
  const message = Buffer.from(toBinary(MultiRequestSchema, create(MultiRequestSchema, { regionAction })))
  const batch = new MutationBatch()
  for (let i = 0; i < 20; i++)
    batch.put(bytes(`row${i}`), bytes('f'), bytes('q'), bytes(`v${i}`)).endMutation()
  const cells = batch.cells.block()
  const of = { call: OWN_CALL, takesCellBlocks: true, release: clientRelease(undefined), cells }
  return () => ({ ...of, parameter: new MessageReader(message) })
}

const put = (i: number) => ({ row: bytes(`row${i}`), mutateType: 2, associatedCellCount: 1 }) as const
const longGet = (name: string) => ({ row: bytes(name), filter: longFilter(name) })

test('a Multi with gets, conditions and puts between them', async () => {
  const request = multiRequest([
    {
      region,
      action: [{ get: longGet('a') }, { mutation: put(0) }, { get: longGet('b') }, { mutation: put(1) }],
    },
    {
      region,
      atomic: true,
      condition: { row: bytes('row2'), filter: longFilter('c') },
      action: [{ mutation: put(2) }, { mutation: put(3) }],
    },
    // HBase's client sends no such action: the get counts, and the put takes no cell of the next one.
    { region, action: [{ get: longGet('d'), mutation: put(4) }, { mutation: put(5) }] },
  ])
  const read = await readLargeMulti(request(), ACTIONS_MAX)
  expect(read).toEqual(readMulti(request(), ACTIONS_MAX))
  expect(read!.regions[1]!.condition).toBeDefined()
})

test('a Multi whose filter is none fails, and so do too many actions', async () => {
  const unsound = { ...longFilter('a'), name: 'org.apache.hadoop.hbase.filter.Unknown' }
  const request = multiRequest([
    {
      region,
      action: [{ get: longGet('a') }, { get: { row: bytes('r'), filter: unsound } }, { get: longGet('b') }],
    },
  ])
  await expect(readLargeMulti(request(), ACTIONS_MAX)).rejects.toThrow('ClassNotFoundException')
  const many = multiRequest([
    { region, action: [longGet('a'), longGet('b'), longGet('c')].map((get) => ({ get })) },
  ])
  await expect(readLargeMulti(many(), 2)).rejects.toThrow('more than the 2 actions')
})

test('a Scan', async () => {
  const scan = { filter: longFilter('row'), startRow: bytes('a'), batchSize: 3 }
  const message = Buffer.from(
    toBinary(ScanRequestSchema, create(ScanRequestSchema, { region, scan, numberOfRows: 7 })),
  )
  const reader = new MessageReader(message)
  let readings = 0
  const read = readInTurns(reader, () => {
    readings++
    return readScanRequest(reader)
  })
  expect(read).toBeInstanceOf(Promise)
  expect(await read).toEqual(readScanRequest(new MessageReader(message)))
  expect(readings).toBe(2)
  const kept = new MessageReader(message)
  kept.keepLongValues()
  expect(() => readScanRequest(kept)).toThrow(Unread)
})

test('changes of rows under conditions with long filters, each read once', async () => {
  const conditions = ['a', 'b', 'c'].map((name) => ({ row: bytes(name), filter: longFilter(name) }))
  const columnValue = [{ family: bytes('f'), qualifierValue: [{ qualifier: bytes('q'), value: bytes('v') }] }]
  const mutationRequest = ['a', 'b'].map((row) => ({ row: bytes(row), mutateType: 2, columnValue }) as const)
  const message = toBinary(
    MutateRowsRequestSchema,
    create(MutateRowsRequestSchema, { mutationRequest, condition: conditions, nonceGroup: 3n, nonce: 4n }),
  )
  const made: RowsMutation[] = []
  const rows = {
    mutateRows: async (_: unknown, mutation: RowsMutation) => {
      made.push(mutation)
      return true
    },
  } as unknown as AdvertisedStore['rows']
  const { methods } = multiRowMutationEndpoint(
    { rows },
    { batchMax: 10 },
    { checkIsWritable: async () => undefined },
  )
  await methods.get('MutateRows')!({ region: {} as NamedRegion, message, call: OWN_CALL })
  const [{ parts, nonce }] = made as [RowsMutation]
  expect(nonce).toEqual({ group: 3n, nonce: 4n })
  expect(parts.map(({ row, operations }) => [row.toString(), operations.length])).toEqual([
    ['a', 1],
    ['b', 1],
    ['a', 0],
    ['b', 0],
    ['c', 0],
  ])
  expect(parts.slice(2).map(({ condition }) => condition)).toEqual(
    conditions.map(({ filter }) => ({
      kind: 'filter',
      filter: decodeFilter(Buffer.from(toBinary(FilterSchema, filter))),
      timeRange: undefined,
    })),
  )
})
