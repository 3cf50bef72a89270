import { create, toBinary } from '@bufbuild/protobuf'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { multiAnswer, type RegionOutcome } from '../../../../src/doors/rpc/client/multi-answer.ts'
import { readMulti } from '../../../../src/doors/rpc/client/read-multi.ts'
import { clientRelease } from '../../../../src/doors/rpc/contract/client-release.ts'
import type { RpcRequest } from '../../../../src/doors/rpc/contract/rpc-service.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { type CellBlock, CellBlockBuilder } from '../../../../src/model/cell-block.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { MultiRequestSchema } from '../../../../src/wire/rpc/gen/client_pb.ts'
import { MessageReader } from '../../../../src/wire/rpc/message-reader.ts'
import { MessageWriter } from '../../../../src/wire/rpc/message-writer.ts'
import { readBothWays } from '../../../harness/fuzz/both-ways.ts'
import { SEED, testRuns } from '../../../harness/test-runs.ts'

const ACTIONS_MAX = 40
const bytes = (text: string): Buffer => Buffer.from(text)
const [PUT, DELETE, INCREMENT] = [2, 3, 1] as const
const REGION = { type: 1, value: bytes('region') } as const

interface DrawnCell {
  readonly row: string
  readonly type: number
  readonly tags: string
}

interface DrawnAction {
  readonly kind: number
  readonly row: string
  readonly cells: readonly DrawnCell[]
  readonly index: number | undefined
  readonly durability: number | undefined
  readonly odd: 'nothing' | 'nonce' | 'ttl' | 'no row' | 'count' | 'get' | 'nothing at all'
}

function seldom<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 30, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
}

const row = fc.constantFrom('a', 'b', 'row0000001', 'x'.repeat(200))
const tombstone = fc.constantFrom(CellType.Delete, CellType.DeleteColumn, CellType.DeleteFamily)

/** Most are plain: the parts of a cell that are not are drawn seldom. */
const action: fc.Arbitrary<DrawnAction> = fc
  .record({
    kind: fc.constantFrom(PUT, PUT, PUT, DELETE, INCREMENT),
    row,
    count: fc.integer({ min: 1, max: 3 }),
    type: tombstone,
    wrong: seldom(
      fc.record({ row, type: fc.constantFrom(4, 8, 5), tags: fc.constantFrom('', '\x00\x02Aa') }),
    ),
    index: fc.option(fc.oneof(fc.nat(300), fc.constantFrom(2 ** 27, 2 ** 28, 2 ** 31)), {
      nil: undefined,
      freq: 9,
    }),
    durability: fc.option(fc.nat(4), { nil: undefined }),
    odd: fc.oneof(
      { weight: 40, arbitrary: fc.constant('nothing' as const) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('nonce', 'ttl', 'no row', 'count', 'get', 'nothing at all'),
      },
    ),
  })
  .map(({ count, type, wrong, ...rest }) => {
    const usual = { row: rest.row, type: rest.kind === DELETE ? type : CellType.Put, tags: '' }
    const cells = Array.from({ length: count }, (_, i) => (i === 0 && wrong !== undefined ? wrong : usual))
    return { ...rest, cells }
  })

const regions = fc.array(
  fc.record({
    actions: fc.array(action, { maxLength: 8 }),
    atomic: seldom(fc.boolean()),
    isConditional: fc.nat(9).map((n) => n === 0),
  }),
  { maxLength: 6 },
)

const CONDITION = { row: bytes('a'), family: bytes('f'), compareType: 2 } as const

function actionOf({ kind, row: stated, cells, index, durability, odd }: DrawnAction): object {
  if (odd === 'nothing at all') return { index }
  if (odd === 'get') return { index, get: { row: bytes(stated) } }
  const mutation = {
    row: bytes(odd === 'no row' ? '' : stated),
    mutateType: kind,
    durability,
    associatedCellCount: cells.length + (odd === 'count' ? 1 : 0),
    ...(odd === 'nonce' && { nonce: 7n }),
    ...(odd === 'ttl' && { attribute: [{ name: '_ttl', value: Buffer.alloc(8, 1) }] }),
  }
  return { index, mutation }
}

function append(builder: CellBlockBuilder, { row: own, type, tags }: DrawnCell): void {
  const prefix = builder.length
  builder.append(bytes(own), bytes('f'), bytes('q'), 0x7fffffff, -1, type, bytes('value'))
  builder.appendTags(prefix, Buffer.from(tags, 'latin1'))
}

interface DrawnRegion {
  readonly actions: readonly DrawnAction[]
  readonly atomic: boolean | undefined
  readonly isConditional: boolean
}

function requestOf(
  drawn: readonly DrawnRegion[],
  hasCondition: boolean,
  takesTags: boolean,
): () => RpcRequest {
  const builder = new CellBlockBuilder()
  const regionAction = drawn.map(({ actions, atomic, isConditional }) => ({
    region: REGION,
    atomic,
    action: actions.map((each) => {
      if (each.odd !== 'get' && each.odd !== 'nothing at all')
        for (const cell of each.cells) append(builder, cell)
      return actionOf(each)
    }),
    ...(isConditional && { condition: CONDITION }),
  }))
  const init = { regionAction, nonceGroup: 5n, ...(hasCondition && { condition: CONDITION }) }
  const message = Buffer.from(toBinary(MultiRequestSchema, create(MultiRequestSchema, init as object)))
  return requestOfBytes(message, builder.block(), takesTags)
}

function requestOfBytes(message: Buffer, cells: CellBlock, takesTags: boolean): () => RpcRequest {
  const of = { call: OWN_CALL, takesCellBlocks: true, release: clientRelease(undefined), cells, takesTags }
  return () => ({ ...of, parameter: new MessageReader(message) })
}

test('actions read in one walk are those that are read one by one', () => {
  let batched = 0
  fc.assert(
    fc.property(regions, fc.nat(9), fc.boolean(), (drawn, condition, takesTags) => {
      const { onePass, oneByOne, areBatched } = readBothWays(
        requestOf(drawn, condition === 0, takesTags),
        ACTIONS_MAX,
      )
      expect(onePass).toEqual(oneByOne)
      batched += areBatched
    }),
    { numRuns: testRuns(600), ...(SEED !== undefined && { seed: SEED }) },
  )
  expect(batched).toBeGreaterThan(50)
})

test('damaged messages are refused as they are one by one', () => {
  const plain = { kind: PUT, row: 'row', index: 3, durability: 0, odd: 'nothing' } as const
  const drawn = Array.from({ length: 3 }, () => ({
    actions: Array.from({ length: 3 }, () => ({
      ...plain,
      cells: [{ row: 'row', type: CellType.Put, tags: '' }],
    })),
    atomic: undefined,
    isConditional: false,
  }))
  const { parameter, cells } = requestOf(drawn, false, false)()
  for (let at = parameter.at; at < parameter.end; at++) {
    for (const value of [0, 1, 0x12, 0x7f, 0x80, 0xff]) {
      const damaged = Buffer.from(parameter.buffer)
      damaged[at] = value
      const { onePass, oneByOne } = readBothWays(requestOfBytes(damaged, cells, false), ACTIONS_MAX)
      expect(onePass).toEqual(oneByOne)
    }
  }
})

test('the batch is a view of the cells in the request', () => {
  const cell = { row: 'b', type: CellType.Put, tags: '' }
  const plain = { kind: PUT, row: 'b', index: 9, durability: 2, odd: 'nothing', cells: [cell, cell] } as const
  const region = { actions: [plain, plain], atomic: undefined, isConditional: false }
  const request = requestOf([region, region], false, false)
  const [, second] = readMulti(request(), ACTIONS_MAX).regions
  const batch = second!.plain!.batch()
  const bytesOfCell = request().cells.byteLength / 8
  expect(batch.ends).toEqual([2 * bytesOfCell, 4 * bytesOfCell])
  expect(batch.options).toEqual([{ durability: 'ASYNC_WAL' }, { durability: 'ASYNC_WAL' }])
  expect(batch.cells.count).toBe(4)
  expect(batch.cells.buffer.buffer).toBe(request().cells.buffer.buffer)
  expect(batch.cells.buffer.length).toBe(4 * bytesOfCell)
})

/** The answer in one piece, and the one made in steps. */
async function answersOf(region: RegionOutcome): Promise<Buffer[]> {
  const answered = { regions: [region, { outcomes: [] }], takesCellBlocks: true, isOfRequest: false }
  const { write, writeInSteps } = await multiAnswer(answered, () => undefined)
  const [atOnce, inSteps] = [new MessageWriter(), new MessageWriter()]
  write(atOnce)
  for (const _ of writeInSteps?.(inSteps) ?? []) continue
  return [atOnce.take(), inSteps.take()]
}

test('actions that are done answer as each of them would', async () => {
  const indexes = [0, 1, 127, 128, 20_000, 2 ** 31]
  const many = Array.from({ length: 6000 }, (_, index) => index)
  for (const done of [indexes, many]) {
    const outcomes = done.map((index) => ({ kind: 'done', index }) as const)
    expect(await answersOf({ outcomes: [], done })).toEqual(await answersOf({ outcomes }))
  }
})
