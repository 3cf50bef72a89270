/** A decorator of a facet stands between a door and a store: the whole suite runs on two of them. */

import { afterAll, describe, expect } from 'vitest'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import { cellsOf } from '../../src/model/cell-block.ts'
import type { HBaseError } from '../../src/model/errors.ts'
import { scan } from '../../src/model/query.ts'
import { gathered } from '../../src/model/results.ts'
import type { TableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { withFacets } from '../../src/store/decorate.ts'
import type { Store } from '../../src/store/store.ts'
import { mirroredStore } from './decorators/mirrored-store.ts'
import { persistentRows, refusingRows } from './decorators/refusing-rows.ts'
import { describeStore } from './suite/describe-store.ts'
import { NO_LIMITS, TestClock } from './suite/store-under-test.ts'

/** A scanner of the table, of which a case may have closed regions. */
async function openedScanner(store: Store, table: TableName): Promise<number> {
  const everything = scan({ maxVersions: 100 })
  try {
    return (await store.rows.openScanner(table, everything, OWN_CALL)).id
  } catch (error) {
    if ((error as Partial<HBaseError>).code !== 'NOT_SERVING_REGION') throw error
    // Closed regions are opened with their table.
    await store.catalog.disableTable(table, OWN_CALL)
    await store.catalog.enableTable(table, OWN_CALL)
    return (await store.rows.openScanner(table, everything, OWN_CALL)).id
  }
}

/** Every cell that clients see. A raw scan shows more where a flush spared it for a scanner, which only one store has open. */
async function contents(store: Store): Promise<unknown[]> {
  const found: unknown[] = []
  for (const { name } of await store.catalog.listTables(OWN_CALL)) {
    if ((await store.catalog.tableState(name, OWN_CALL)) === 'DISABLED') continue
    const id = await openedScanner(store, name)
    for (let isOver = false; !isOver; ) {
      const { results, ended } = await store.handouts.next(id, NO_LIMITS, OWN_CALL)
      found.push(...cellsOf(gathered(results).cells))
      isOver = ended === 'scan'
    }
    await store.handouts.closeScanner(id)
  }
  return found
}

describeStore('a mirror of two memory stores', async () => {
  const clock = new TestClock()
  const [first, second] = [openMemoryStore({ clock }), openMemoryStore({ clock })]
  const store = mirroredStore(first, second)
  let isOpen = true
  const compared: Store = {
    ...store,
    close: async () => {
      if (isOpen) expect(await contents(second)).toEqual(await contents(first))
      isOpen = false
      await store.close()
    },
  }
  return { store: compared, clock, close: () => compared.close() }
}, ['as written'])

describe('a store that refuses every second call', () => {
  let refusals = 0
  const countRefusal = (): void => {
    refusals++
  }
  afterAll(() => expect(refusals).toBeGreaterThan(100))

  describeStore('memory, asked again', async () => {
    const clock = new TestClock()
    const memory = openMemoryStore({ clock })
    const store = withFacets(memory, { rows: persistentRows(refusingRows(memory.rows), countRefusal) })
    return { store, clock, close: () => store.close() }
  }, ['as written'])
})
