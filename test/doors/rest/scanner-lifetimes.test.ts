/** How long REST keeps scanners, what they hold meanwhile, and what is left of one that was read to its end. */

import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CellStream } from '../../../src/doors/rest/service/cell-stream.ts'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import { DeferredScanner } from '../../../src/gateway/reads/deferred-scanner.ts'
import { scan } from '../../../src/model/query.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { cellValues, type RestServer, rowJson, startRestServer } from './rest-server.ts'

const MINUTE_MS = 60_000
const ROWS = ['a', 'b', 'c', 'd']
const VALUES = ROWS.flatMap((row) => [1, 2, 3].map((i) => `${row}${i}`))

let server: RestServer
let memory: MemoryBudget

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
  memory = new MemoryBudget(1 << 30)
  server = await startRestServer({ scannersMax: 2 }, {}, undefined, {}, memory)
  for (const row of ROWS) await write(row, '')
})

afterEach(async () => {
  await server.close()
  vi.useRealTimers()
})

async function write(row: string, suffix: string): Promise<void> {
  const cells = [1, 2, 3].map((i): [string, string] => [`f:${i}`, `${row}${i}${suffix}`])
  expect((await server.put('/t/x', rowJson(row, ...cells))).status).toBe(200)
}

async function open(body: string): Promise<string> {
  const { status, headers } = await server.put('/t/scanner', body)
  expect(status).toBe(201)
  return new URL(headers['location']!).pathname
}

async function readToEnd(path: string): Promise<string[]> {
  const values: string[] = []
  for (;;) {
    const reply = await server.get(path)
    if (reply.status === 204) return values
    expect(reply.status).toBe(200)
    values.push(...cellValues(reply))
  }
}

test('a scanner lives for an hour after each read, and not for longer', async () => {
  const path = await open('{"batch":1}')
  for (let i = 0; i < 3; i++) {
    await vi.advanceTimersByTimeAsync(59 * MINUTE_MS)
    expect(cellValues(await server.get(path))).toEqual([VALUES[i]])
  }
  await vi.advanceTimersByTimeAsync(60 * MINUTE_MS)
  expect((await server.get(path)).status).toBe(404)
})

test('a scanner whose client pauses holds neither rows nor the scanner of the store, and goes on after the row that it is in', async () => {
  const closing = vi.spyOn(server.store.handouts, 'closeScanner')
  const path = await open('{"batch":2,"maxVersions":1}')
  const granted = memory.granted
  expect(cellValues(await server.get(path))).toEqual(['a1', 'a2'])
  expect(closing).toHaveBeenCalledTimes(0)
  const ahead = memory.granted - granted
  await vi.advanceTimersByTimeAsync(MINUTE_MS + MINUTE_MS / 4)
  expect(closing).toHaveBeenCalledTimes(1)
  expect(memory.granted - granted).toBeLessThan(ahead / 5)
  // The rest of a row is of the same version as its beginning; rows behind it are read anew.
  for (const row of ['a', 'c']) await write(row, 'new')
  const rest = await readToEnd(path)
  expect(rest).toEqual(['a3', 'b1', 'b2', 'b3', 'c1new', 'c2new', 'c3new', 'd1', 'd2', 'd3'])
  expect(memory.granted).toBe(0)
})

test('a scanner that was read to its end holds no place, and answers as before until it is deleted', async () => {
  const ended = []
  for (let i = 0; i < 20; i++) {
    const path = await open('{"batch":100}')
    expect(await readToEnd(path)).toEqual(VALUES)
    ended.push(path)
  }
  const kept = [await open('{"batch":100}'), await open('{"batch":1}')]
  expect(memory.granted).toBeGreaterThan(0)
  for (const path of ended) {
    expect((await server.get(path)).status).toBe(204)
    expect((await server.get(path, 'application/octet-stream')).status).toBe(204)
    expect((await server.ask('DELETE', path)).status).toBe(200)
    expect((await server.ask('DELETE', path)).status).toBe(404)
    expect((await server.get(path)).status).toBe(404)
  }
  for (const path of kept) expect(await readToEnd(path)).toEqual(VALUES)
  expect(memory.granted).toBe(0)
})

test('no pause, wherever it comes, loses or repeats a cell', async () => {
  const steps = fc.array(fc.constantFrom('next', 'next', 'sleep', 'putBack', 'rest'), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 5 }), async (done, rows) => {
      const scanner = new DeferredScanner(server.store, parseTableName('t'), scan())
      const budget = new MemoryBudget(1 << 30)
      const limits = { rows, bytes: 1_000_000, allowPartial: false }
      const stream = new CellStream(server.store.handouts, scanner, limits, budget)
      const values: string[] = []
      let canPutBack = false
      for (const step of [...done, ...VALUES.map(() => 'next'), 'next']) {
        if (step === 'sleep') await stream.sleep()
        else if (step === 'rest') stream.releaseIfRead()
        else if (step === 'putBack' && canPutBack) {
          stream.putBack()
          values.pop()
          canPutBack = false
        } else if (step === 'next') {
          const isThere = await stream.next(OWN_CALL)
          canPutBack = isThere
          if (isThere) values.push(stream.cursor.parts().value.toString())
        }
        if (step === 'sleep' || step === 'rest') canPutBack = false
      }
      expect(values).toEqual(VALUES)
      await stream.close()
      expect(budget.granted).toBe(0)
    }),
    { numRuns: 200 },
  )
})
