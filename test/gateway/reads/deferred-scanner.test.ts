import { expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { DeferredScanner } from '../../../src/gateway/reads/deferred-scanner.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { scan } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { withFacets, withMethods } from '../../../src/store/decorate.ts'
import type { Store } from '../../../src/store/store.ts'

const TABLE = parseTableName('t')
const FAMILY = Buffer.from('f')
const LIMITS = { rows: 1, bytes: 1_000_000, allowPartial: false }

/** Which scanners were opened, and which of them closed. */
interface Watched {
  readonly store: Store
  readonly opened: number[]
  readonly closed: number[]
}

function watchedStore(): Watched {
  const memory = openMemoryStore({ clock: Date })
  const opened: number[] = []
  const closed: number[] = []
  const rows = withMethods(memory.rows, {
    openScanner: async (...args) => {
      const scanner = await memory.rows.openScanner(...args)
      opened.push(scanner.id)
      return scanner
    },
  } satisfies Partial<Store['rows']>)
  const handouts = withMethods(memory.handouts, {
    closeScanner: (scanner) => {
      closed.push(scanner)
      return memory.handouts.closeScanner(scanner)
    },
  } satisfies Partial<Store['handouts']>)
  return { store: withFacets(memory, { rows, handouts }), opened, closed }
}

async function fill({ catalog, rows }: Store): Promise<void> {
  await catalog.createTable(tableDescriptor(TABLE, [familyDescriptor(FAMILY)]), [], OWN_CALL)
  const batch = new MutationBatch()
  for (const row of ['a', 'b', 'c']) batch.put(Buffer.from(row), FAMILY, FAMILY, FAMILY).endMutation()
  await rows.mutate(TABLE, batch, OWN_CALL)
}

async function nextRows(scanner: DeferredScanner): Promise<string[]> {
  const { results } = await scanner.next(LIMITS, OWN_CALL)
  return cellsOf(gathered(results).cells).map(({ row }) => row.toString())
}

test('a scanner is opened by its first use, with bytes of its own, and closed with what it opened', async () => {
  const { store, opened, closed } = watchedStore()
  await fill(store)
  const startRow = Buffer.from('b')
  const scanner = new DeferredScanner(store, TABLE, scan({ startRow }))
  startRow.fill(0)
  expect(opened).toHaveLength(0)
  expect([await nextRows(scanner), await nextRows(scanner)]).toEqual([['b'], ['c']])
  expect(opened).toHaveLength(1)
  await scanner.close()
  expect(closed).toEqual(opened)
  expect(await scanner.next(LIMITS, OWN_CALL)).toMatchObject({ ended: 'scan', results: { counts: [] } })
  expect(opened).toHaveLength(1)
})

test('a scanner that could not be opened is opened by its next use', async () => {
  const { store } = watchedStore()
  const scanner = new DeferredScanner(store, TABLE, scan())
  await expect(nextRows(scanner)).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND' })
  await fill(store)
  expect(await nextRows(scanner)).toEqual(['a'])
})

test('a scanner that is closed while it is opened leaves nothing open', async () => {
  const { store, opened, closed } = watchedStore()
  await fill(store)
  const scanner = new DeferredScanner(store, TABLE, scan())
  const next = scanner.next(LIMITS, OWN_CALL).catch(() => undefined)
  await scanner.close()
  await next
  expect(opened).toHaveLength(1)
  expect(new Set(closed)).toEqual(new Set(opened))
})
