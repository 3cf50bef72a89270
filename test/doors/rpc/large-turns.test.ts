/** Large requests and answers are read and written as small ones are, but in steps between which other calls have their turns. */

import { create, toBinary } from '@bufbuild/protobuf'
import { afterEach, expect, test, vi } from 'vitest'
import type { Action } from '../../../src/doors/rpc/client/action.ts'
import { multiAnswer, type Outcome } from '../../../src/doors/rpc/client/multi-answer.ts'
import { type MultiMessage, readLargeMulti, readMulti } from '../../../src/doors/rpc/client/read-multi.ts'
import { clientRelease } from '../../../src/doors/rpc/contract/client-release.ts'
import type { RpcRequest } from '../../../src/doors/rpc/contract/rpc-service.ts'
import { cellsInSteps, writeCells } from '../../../src/doors/rpc/messages/write-result.ts'
import { blockOf } from '../../../src/model/cell-block.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { ClientService, MultiRequestSchema } from '../../../src/wire/rpc/gen/client_pb.ts'
import { MessageReader } from '../../../src/wire/rpc/message-reader.ts'
import { MessageWriter } from '../../../src/wire/rpc/message-writer.ts'
import { responseInSteps, writeResponse } from '../../../src/wire/rpc/response-frame.ts'
import { oneCall } from './one-call.ts'
import { startRpcServer, TABLE } from './rpc-server.ts'

const STEP_BYTES_MAX = 400_000
const bytes = (text: string): Buffer => Buffer.from(text)

afterEach(() => vi.restoreAllMocks())

/** Number of turns of the event loop during the work, where each reading of the clock takes 5 ms. */
async function turnsDuring(work: () => Promise<unknown> | undefined): Promise<number> {
  // Earlier work may still run in the turns of this round.
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate)
  let nowMs = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 5))
  let turns = 0
  let immediate = setImmediate(function turn() {
    turns++
    immediate = setImmediate(turn)
  })
  await work()
  clearImmediate(immediate)
  vi.restoreAllMocks()
  return turns
}

const GETS = 6000

/** Makes readers of one request. */
function requestOf(regions: number, actions: number): () => RpcRequest {
  const batch = new MutationBatch()
  const regionAction = Array.from({ length: regions }, () => ({
    region: { type: 1, value: bytes('region') } as const,
    action: Array.from({ length: actions }, (_, index) => {
      batch.put(bytes('row'), bytes('f'), bytes('q'), bytes('v')).endMutation()
      const row = bytes('row')
      return { index, mutation: { row, mutateType: 2, associatedCellCount: 1 } as const }
    }),
  }))
  const message = Buffer.from(toBinary(MultiRequestSchema, create(MultiRequestSchema, { regionAction })))
  const cells = batch.cells.block()
  const of = { call: OWN_CALL, takesCellBlocks: true, release: clientRelease(undefined), cells }
  return () => ({ ...of, parameter: new MessageReader(message) })
}

function actionsOf({ regions }: MultiMessage): Action[] {
  return regions.flatMap(({ plain, actions }) => plain?.actions() ?? actions)
}

test.each([
  ['of one region', 1, GETS],
  ['of many regions', GETS, 1],
])('a Multi %s', async (_, regions, actions) => {
  const request = requestOf(regions, actions)
  const turns = await turnsDuring(async () => {
    const read = await readLargeMulti(request(), GETS)
    expect(actionsOf(read!)).toHaveLength(GETS)
    expect(actionsOf(read!)).toEqual(actionsOf(readMulti(request(), GETS)))
  })
  expect(turns).toBeGreaterThan(5)
  await expect(readLargeMulti(request(), GETS - 1)).rejects.toThrow('more than the 5999')
  expect(() => readMulti(request(), GETS - 1)).toThrow('more than the 5999')
  expect(readLargeMulti(requestOf(1, 10)(), GETS)).toBeUndefined()
})

function stepped(steps: (writer: MessageWriter) => Generator<void, void>): Buffer {
  const writer = new MessageWriter()
  let before = 0
  for (const _ of steps(writer)) {
    expect(writer.length - before).toBeLessThan(STEP_BYTES_MAX)
    before = writer.length
  }
  expect(writer.length - before).toBeLessThan(STEP_BYTES_MAX)
  return writer.take()
}

function written(write: (writer: MessageWriter) => void): Buffer {
  const writer = new MessageWriter()
  write(writer)
  return writer.take()
}

const cell = (qualifier: string, value: Buffer) => ({
  row: bytes('row'),
  family: bytes('f'),
  qualifier: bytes(qualifier),
  timestamp: 1n,
  type: 4,
  value,
})
const wide = blockOf(Array.from({ length: 3000 }, (_, i) => cell(`q${i}`, Buffer.alloc(500, 'v'))))
const one = blockOf([cell('q', Buffer.alloc(300, 'v'))])

function message(writer: MessageWriter): void {
  writer.uint32(1, 7)
}

function* messageInSteps(writer: MessageWriter): Generator<void, void> {
  message(writer)
  yield
}

test('the cells of a wide row within a message, and a cell block behind one', () => {
  const inMessage = stepped((writer) => cellsInSteps(writer, 1, wide))
  expect(inMessage.equals(written((writer) => writeCells(writer, 1, wide)))).toBe(true)
  const behind = stepped((writer) => responseInSteps(writer, 3, messageInSteps, [wide, one]))
  expect(behind.equals(written((writer) => writeResponse(writer, 3, message, [wide, one])))).toBe(true)
})

test.each([true, false])('the outcomes of a Multi; cells behind it: %s', async (takesCellBlocks) => {
  const outcomes = Array.from(
    { length: GETS },
    (_, index): Outcome =>
      index % 2 === 0 ? { kind: 'done', index } : { kind: 'result', index, cells: one, count: 1 },
  )
  const regions = [{ outcomes }, { outcomes: [], processed: true }]
  const answer = await multiAnswer({ regions, takesCellBlocks, isOfRequest: false }, () => undefined)
  expect(stepped(answer.writeInSteps!).equals(written(answer.write))).toBe(true)
})

const of = (codec?: string) => (codec === undefined ? {} : { codec })

test('clients get large answers whole, with a codec and without', async () => {
  const server = await startRpcServer()
  try {
    const batch = new MutationBatch()
    const value = Buffer.alloc(200, 'v')
    for (let i = 0; i < GETS; i++) batch.put(bytes(`a${i}`), bytes('f'), bytes('q'), value).endMutation()
    await server.store.rows.mutate(TABLE, batch, OWN_CALL)
    const [first] = await server.store.catalog.regions(TABLE, OWN_CALL)
    const region = { type: 1, value: first!.name } as const
    const action = Array.from({ length: GETS }, (_, index) => ({ index, get: { row: bytes(`a${index}`) } }))
    const { method } = ClientService
    const ask = (codec?: string) =>
      Promise.all([
        oneCall(server.door.port, method.multi, { regionAction: [{ region, action }] }, of(codec)),
        oneCall(
          server.door.port,
          method.scan,
          { region, scan: {}, numberOfRows: GETS, closeScanner: true },
          of(codec),
        ),
      ])
    const [multi, scan] = await ask()
    expect(multi.cells()).toHaveLength(GETS)
    expect(multi.message.regionActionResult[0]!.resultOrException).toHaveLength(GETS)
    expect(scan.cells()).toHaveLength(GETS)
    const [inline, inlineScan] = await ask('')
    expect(inline.message.regionActionResult[0]!.resultOrException.at(-1)!.result!.cell).toHaveLength(1)
    expect(inlineScan.message.results).toHaveLength(GETS)
    await expect.poll(() => server.memory.granted).toBe(0)
  } finally {
    await server.close()
  }
})
