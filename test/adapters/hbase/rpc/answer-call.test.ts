/** Answers with very many cells are checked while others have their turns. */

import { afterEach, expect, test, vi } from 'vitest'
import { answerCall } from '../../../../adapters/hbase/rpc/answer-call.ts'
import type { PendingCall } from '../../../../adapters/hbase/rpc/pending-call.ts'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { CellBlock } from '../../../../src/model/cell-block.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { ResponseFrame } from '../../../../src/wire/rpc/response-frame.ts'
import { ECHO } from './echo-connection.ts'

const CELLS = 40_000

afterEach(() => vi.restoreAllMocks())

function manyCells(): Buffer {
  const batch = new MutationBatch()
  const text = Buffer.from('some')
  for (let i = 0; i < CELLS; i++) batch.put(text, text, text, text)
  const { buffer, start, end } = batch.cells.block()
  return Buffer.from(buffer.subarray(start, end))
}

interface Ended {
  readonly value: unknown
  readonly turns: number
}

/** Turns of the event loop until the call ends, where each look at the clock takes 5 ms. */
async function answered(cells: Buffer, release: (() => void) | undefined): Promise<Ended> {
  let nowMs = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 5))
  let turns = 0
  let immediate = setImmediate(function turn() {
    turns++
    immediate = setImmediate(turn)
  })
  const response = new ResponseFrame()
  response.cells = new CellBlock(cells)
  const value = await new Promise((resolve) => {
    const call = { method: ECHO, resolve, reject: resolve } as unknown as PendingCall
    const answer = { response, buffer: Buffer.alloc(0), release }
    answerCall(call, answer, { compressor: undefined, bytesMax: Number.POSITIVE_INFINITY })
  })
  clearImmediate(immediate)
  return { value, turns }
}

test('of a large frame', async () => {
  const { value, turns } = await answered(manyCells(), () => undefined)
  expect(value).toMatchObject({ message: '', cellCount: CELLS })
  expect(turns).toBeGreaterThan(1)
})

test('of a frame whose memory is used again, at once', async () => {
  const { value, turns } = await answered(manyCells(), undefined)
  expect(value).toMatchObject({ cellCount: CELLS })
  expect(turns).toBe(0)
})

test('a malformed cell behind very many others is a bad response', async () => {
  const { value } = await answered(Buffer.concat([manyCells(), Buffer.alloc(30, 1)]), () => undefined)
  expect(value).toBeInstanceOf(RpcError)
  expect((value as RpcError).code).toBe('BAD_RESPONSE')
})
