/** Results are given back once they are encoded: every loan, and none before. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { CellBlock } from '../../../src/model/cell-block.ts'
import { gathered, type Results, type ScannedResults } from '../../../src/model/results.ts'
import { withMethods } from '../../../src/store/decorate.ts'
import type { Handouts } from '../../../src/store/handouts.ts'
import type { Rows } from '../../../src/store/rows.ts'
import type { Store } from '../../../src/store/store.ts'
import { type Reply, type RestServer, rowJson, startRestServer } from './rest-server.ts'
import { ARE_IN_THREADS } from './rest-threads.ts'

/** Lends every result, and overwrites the memory that is given back. */
class Lending {
  readonly outstanding = new Map<number, Buffer>()
  lent = 0

  lend(results: ScannedResults): Results {
    const { cells, counts } = gathered(results)
    const memory = Buffer.from(cells.buffer.subarray(cells.start, cells.end))
    this.outstanding.set(++this.lent, memory)
    return { cells: new CellBlock(memory, 0, memory.length), counts, loan: this.lent }
  }

  facetsOf({ rows, handouts }: Store): { rows: Rows; handouts: Handouts } {
    return {
      rows: withMethods(rows, {
        get: async (...asked) => this.lend(await rows.get(...asked)),
        mutateRow: async (...asked) => {
          const { applied, results } = await rows.mutateRow(...asked)
          return { applied, results: this.lend(results) }
        },
      }),
      handouts: withMethods(handouts, {
        next: async (...asked) => {
          const batch = await handouts.next(...asked)
          return { ...batch, results: this.lend(batch.results) }
        },
        release: (loan) => {
          const memory = this.outstanding.get(loan)
          if (memory === undefined) throw new Error(`loan ${loan} is given back twice`)
          memory.fill(0xdb)
          this.outstanding.delete(loan)
        },
      }),
    }
  }
}

const lending = new Lending()
let plain: RestServer
let lent: RestServer

beforeAll(async () => {
  plain = await startRestServer()
  const memory = openMemoryStore({ clock: { now: Date.now } })
  lent = await startRestServer({}, lending.facetsOf(memory), memory)
  for (const server of [plain, lent]) {
    for (const key of ['a', 'b', 'c']) {
      const value = key.repeat(400_000)
      await server.put(`/t/${key}`, rowJson(key, ['f:p', value, 5], ['f:q', `${key}q`, 6]))
    }
  }
})

afterAll(async () => {
  await plain.close()
  await lent.close()
})

beforeEach(() => {
  lending.lent = 0
  lending.outstanding.clear()
})

function shown({ status, body }: Reply): [number, string] {
  return [status, body.toString('latin1')]
}

const VALUE = 'application/octet-stream'
const FORMS = ['application/json', 'text/xml', 'application/x-protobuf']

describe.each([...FORMS, VALUE])('as %s', (form) => {
  const paths =
    form === VALUE
      ? ['/t/a/f:q', '/t/a/f:p', '/t/none/f:q', '/t/b,c/f:q', '/t/x,z/f:q']
      : [
          '/t/a',
          '/t/none',
          '/t/a,c',
          '/t/x,z',
          '/t/multiget?row=a&row=b',
          '/t/multiget?row=n',
          '/t/*',
          '/t/z*',
        ]
  test.each(paths)('%s', async (path) => {
    expect(shown(await lent.get(path, form))).toEqual(shown(await plain.get(path, form)))
    expect(lending.lent).toBeGreaterThan(0)
    expect([...lending.outstanding.keys()]).toEqual([])
  })
})

async function scannerOf(server: RestServer): Promise<string> {
  const { headers } = await server.put('/t/scanner', '{"batch":2}')
  return new URL(headers['location']!).pathname
}

test.each([VALUE, ...FORMS])('a scanner read to its end, as %s', async (form) => {
  const paths = [await scannerOf(plain), await scannerOf(lent)] as const
  let status: number
  do {
    const expected = await plain.get(paths[0], form)
    expect(shown(await lent.get(paths[1], form))).toEqual(shown(expected))
    status = expected.status
  } while (status !== 204)
  expect(lending.lent).toBeGreaterThan(1)
  expect(lending.outstanding.size).toBe(0)
})

test.skipIf(ARE_IN_THREADS)('a scanner that is deleted halfway', async () => {
  const path = await scannerOf(lent)
  expect((await lent.get(path)).status).toBe(200)
  expect(lending.outstanding.size).toBe(1)
  expect((await lent.ask('DELETE', path)).status).toBe(200)
  expect(lending.outstanding.size).toBe(0)
})

test('an append that shows the row', async () => {
  const path = '/t/d?check=append&rr=true'
  const expected = await plain.put(path, rowJson('d', ['f:q', 'v']))
  const reply = await lent.put(path, rowJson('d', ['f:q', 'v']))
  expect([reply.status, reply.text.replace(/"timestamp":\d+/, '')]).toEqual([
    200,
    expected.text.replace(/"timestamp":\d+/, ''),
  ])
  expect(lending.outstanding.size).toBe(0)
})
