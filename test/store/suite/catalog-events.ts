import { describe, expect, test } from 'vitest'
import type { Call } from '../../../src/store/call.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { CatalogEvent, CatalogEvents } from '../../../src/store/catalog.ts'
import { described } from './described-table.ts'
import { failure, type Session } from './store-under-test.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

async function watch(session: Session, position: number, call: Call = OWN_CALL): Promise<CatalogEvents> {
  const { catalog } = session.store
  return catalog.watch!(position, call)
}

function textOf(event: CatalogEvent): string {
  return event.kind === 'namespace' ? `namespace ${event.namespace}` : `${event.kind} ${event.table}`
}

/** The events about tables and namespaces; a store tells of regions as it pleases. */
function textsOf({ events }: CatalogEvents): string[] {
  return events.map(textOf).filter((text) => !text.startsWith('regions'))
}

/** The events of a catalog, and the cluster that it belongs to. */
export function describeCatalogEvents(start: () => Promise<Session>): void {
  describe('watching', () => {
    test('every change is told, in order', async () => {
      const session = await start()
      session.needs('watch')
      const { position } = await watch(session, 0, { ...OWN_CALL, deadline: session.clock.time })
      const { catalog } = session.store
      await catalog.createNamespace({ name: 'ns', properties: new Map() }, OWN_CALL)
      await catalog.modifyNamespace({ name: 'ns', properties: new Map([['a', 'b']]) }, OWN_CALL)
      await catalog.createTable(described('ns:t'), [], OWN_CALL)
      const table = described('ns:t', { f: { VERSIONS: '2' } })
      await catalog.modifyTable(table, OWN_CALL)
      await catalog.disableTable(table.name, OWN_CALL)
      await catalog.enableTable(table.name, OWN_CALL)
      await catalog.disableTable(table.name, OWN_CALL)
      await catalog.truncateTable(table.name, false, OWN_CALL)
      await catalog.disableTable(table.name, OWN_CALL)
      await catalog.deleteTable(table.name, OWN_CALL)
      await catalog.deleteNamespace('ns', OWN_CALL)
      const told = await watch(session, position)
      expect(told.isIncomplete).toBe(false)
      // A store may tell one change as several events.
      const texts = textsOf(told).filter((text, i, all) => text !== all[i - 1])
      expect(texts).toEqual(['namespace ns', 'table ns:t', 'namespace ns'])
      expect(textsOf(told).length).toBeGreaterThanOrEqual(11)
      expect(told.events.map(textOf)).toContain('regions ns:t')
    })

    test('what is refused is not told', async () => {
      const session = await start()
      session.needs('watch')
      await session.create()
      const { position } = await watch(session, 0)
      const { catalog } = session.store
      await failure(catalog.createTable(described('t'), [], OWN_CALL))
      await failure(catalog.deleteTable(session.table, OWN_CALL))
      await failure(catalog.deleteNamespace('none', OWN_CALL))
      const { events } = await watch(session, position, { ...OWN_CALL, deadline: session.clock.time })
      expect(events).toEqual([])
    })

    test('who has seen all waits for the next', async () => {
      const session = await start()
      session.needs('watch')
      await session.create()
      const { position } = await watch(session, 0)
      const [first, second] = [watch(session, position), watch(session, position)]
      await session.on('u').create()
      for (const told of await Promise.all([first, second])) {
        expect(['table u', 'regions u']).toContain(textOf(told.events[0]!))
        expect(told.position).toBeGreaterThan(position)
      }
    })

    test('until the deadline', async () => {
      const session = await start()
      session.needs('watch')
      await session.create()
      const { position } = await watch(session, 0)
      const call = { ...OWN_CALL, deadline: session.clock.time + 1 }
      expect(await watch(session, position, call)).toEqual({ position, events: [], isIncomplete: false })
    })

    test('until the client hangs up, or the store is closed', async () => {
      const session = await start()
      session.needs('watch')
      await session.create()
      const { position } = await watch(session, 0)
      const controller = new AbortController()
      const call = { ...OWN_CALL, signal: controller.signal }
      const [gone, closed] = [failure(watch(session, position, call)), failure(watch(session, position))]
      controller.abort()
      expect(await gone).toMatch(/^CALLER_GONE/)
      expect(await failure(watch(session, 0, call))).toMatch(/^CALLER_GONE/)
      await session.store.close()
      expect(await closed).toMatch(/^UNAVAILABLE/)
    })
  })

  test('the cluster has an id, which stays', async () => {
    const session = await start()
    const id = await session.store.clusterId()
    expect(id).toMatch(UUID)
    expect(await session.store.clusterId()).toBe(id)
    const { reopen } = session.under
    if (reopen !== undefined) expect(await (await reopen()).clusterId()).toBe(id)
  })

  test('what the store counts is plain data, always of the same metrics', async () => {
    const session = await start()
    const before = await session.store.metrics()
    await session.create()
    await session.put('r', 'f:q', 'v', 5n)
    const after = await session.store.metrics()
    expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name))
    expect(structuredClone(after)).toEqual(after)
    expect(await session.store.outage()).toBeUndefined()
  })
}
