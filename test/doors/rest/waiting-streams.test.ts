/** Streams that hold all memory between them and wait for more: one gives way, so that the other goes on. */

import { expect, test } from 'vitest'
import { PagedScan } from '../../../src/doors/rest/answers/paged-scan.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import { scan } from '../../../src/model/query.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { startRestServer } from './rest-server.ts'

const MIB = 1024 * 1024
/** Rows by key, in MiB: two streams hold 3 MiB each behind their first row, and wait for the memory of their second one. */
const ROWS: Readonly<Record<string, number>> = { a1: 1, a2: 2, b1: 1, b2: 1.5 }
/** Beside them the first has room for a half of the 4 MiB that it wants, and the last for three quarters of 2 MiB. */
const BYTES_MAX = 9.8 * MIB

test('of two streams the one that waits last is refused at once', async () => {
  const memory = new MemoryBudget(BYTES_MAX)
  const server = await startRestServer()
  try {
    for (const [key, mib] of Object.entries(ROWS)) {
      const value = Buffer.alloc(mib * MIB, 'v').toString('base64')
      const row = { key: Buffer.from(key).toString('base64'), Cell: [{ column: 'Zjpx', $: value }] }
      expect((await server.put(`/t/${key}`, JSON.stringify({ Row: [row] }))).status).toBe(200)
    }
    const service = { store: server.store, limits: DEFAULT_LIMITS, memory }
    const open = (key: string): Promise<PagedScan> => {
      const query = scan({ startRow: Buffer.from(key) })
      return PagedScan.open(service, parseTableName('t'), query, OWN_CALL, { pageRows: 1 })
    }
    const [first, last] = [await open('a1'), await open('b1')]
    expect(memory.standing).toBeGreaterThan(6 * MIB - 1000)
    const goesOn = first.next()
    await expect(last.next()).rejects.toMatchObject({ code: 'OVERLOADED' })
    await last.close()
    expect(await goesOn).toBe(true)
    await first.close()
    expect([memory.granted, memory.standing]).toEqual([0, 0])
  } finally {
    await server.close()
  }
})
