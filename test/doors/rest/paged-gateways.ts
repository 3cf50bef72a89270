/** Two gateways on one store, and scans that go from answer to answer between them. */

import { expect } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { type Reply, type RestServer, startRestServer } from './rest-server.ts'

export const TEXT_JSON = 'application/json;cells=text'
export const TABLE: TableName = parseTableName('t')
export const F: Buffer = Buffer.from('f')

export interface ShownCell {
  readonly key: string
  readonly column: string
  readonly timestamp: number
  readonly value: string
}

export interface Gateways {
  readonly both: readonly [RestServer, RestServer]
  /** Follows the links, from gateway to gateway. */
  pagesOf(path: string, between?: (page: ShownCell[]) => Promise<void>): Promise<ShownCell[][]>
  /** Puts these rows in the place of all others. */
  putOnly(rows: readonly (readonly [row: string, qualifiers: number, versions: number])[]): Promise<void>
  close(): Promise<unknown>
}

export function cellsOf(reply: Reply): ShownCell[] {
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)])
  const { rows } = JSON.parse(reply.text) as { rows: { key: string; cells: Omit<ShownCell, 'key'>[] }[] }
  return rows.flatMap(({ key, cells }) => cells.map((cell) => ({ key, ...cell })))
}

export function nextOf({ headers }: Reply): string | undefined {
  const link = headers['link']
  return link === undefined ? undefined : /^<(.*)>; rel="next"$/.exec(link)![1]
}

export async function openGateways(): Promise<Gateways> {
  const store = openMemoryStore({ clock: { now: Date.now } })
  const both = [await startRestServer({}, {}, store), await startRestServer({}, {}, store)] as const
  return {
    both,
    pagesOf: async (path, between = async () => undefined) => {
      const pages: ShownCell[][] = []
      for (let next: string | undefined = path; next !== undefined; ) {
        const reply: Reply = await both[pages.length % 2]!.get(next, TEXT_JSON)
        const page = cellsOf(reply)
        pages.push(page)
        next = nextOf(reply)
        if (next !== undefined) await between(page)
        expect(pages.length).toBeLessThan(200)
      }
      return pages
    },
    putOnly: async (rows) => {
      await store.catalog.disableTable(TABLE, OWN_CALL)
      await store.catalog.truncateTable(TABLE, true, OWN_CALL)
      const batch = new MutationBatch()
      for (const [row, qualifiers, versions] of rows) {
        for (let i = 0; i < qualifiers; i++) {
          for (let at = 1; at <= versions; at++) {
            const [qualifier, value] = [`q${i}`, `${row} ${i} ${at}`].map((text) => Buffer.from(text))
            batch.put(Buffer.from(row), F, qualifier!, value!, BigInt(at))
          }
        }
        batch.endMutation()
      }
      expect(await store.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
    },
    close: () => Promise.all(both.map((gateway) => gateway.close())),
  }
}
