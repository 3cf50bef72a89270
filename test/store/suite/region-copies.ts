import { describe, expect, test } from 'vitest'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import { type TableDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { get, type Query, scan } from '../../../src/model/query.ts'
import { replicaName } from '../../../src/model/region-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { RegionLocation } from '../../../src/store/catalog.ts'
import type { Target } from '../../../src/store/target.ts'
import { described } from './described-table.ts'
import { refusal, regionsOf, upkeepOf } from './region-sessions.ts'
import { bytes, drain, failure, NO_GET_LIMITS, resultTexts, type Session } from './store-under-test.ts'

const ROW = ['b/f:q@5=v']
const GONE = /^NOT_SERVING_REGION/

function copied(replication: number): TableDescriptor {
  const { name, families } = described('t')
  return tableDescriptor(name, families, [['REGION_REPLICATION', String(replication)]])
}

/** A table of two regions with copies, whose first one has the row b. */
async function startCopied(start: () => Promise<Session>, replication = 2): Promise<Session> {
  const session = await start()
  session.needsUpkeep('regions')
  // A cluster has copies of its own, which know only what is in files.
  session.needs('stillTime')
  await session.store.catalog.createTable(copied(replication), [bytes('m')], OWN_CALL)
  await session.put('b', 'f:q', 'v', 5n)
  await session.settle()
  return session
}

async function first(session: Session): Promise<RegionLocation> {
  return (await regionsOf(session))[0]!
}

async function copyName(session: Session, replica = 1): Promise<Buffer> {
  return replicaName((await first(session)).name, replica).name
}

async function copyOf(session: Session, replica: number): Promise<Target> {
  return { table: session.table, encodedName: (await first(session)).encodedName, replica }
}

async function read(session: Session, target: Target, replica?: Query['replica']): Promise<string[]> {
  const gets = [get(bytes('b'), { replica })]
  return resultTexts(await session.store.rows.get(target, gets, NO_GET_LIMITS, OWN_CALL))
}

async function scanned(session: Session, target: Target): Promise<string[]> {
  return drain(await openScanner(session.store, target, scan(), OWN_CALL))
}

async function closed(session: Session): Promise<(readonly number[])[]> {
  return (await regionsOf(session)).map(({ closedReplicas = [] }) => closedReplicas)
}

/** Copies of regions, each of which may be closed by itself. */
export function describeRegionCopies(start: () => Promise<Session>): void {
  describe('a copy of a region', () => {
    test('is closed and opened by itself, and the region goes on', async () => {
      const session = await startCopied(start)
      const copy = await copyOf(session, 1)
      const { name } = replicaName((await first(session)).name, 1)
      expect(await read(session, copy)).toEqual(ROW)
      await upkeepOf(session).unassignRegion(name, OWN_CALL)
      for (const again of [false, true]) {
        if (again) await session.reopen()
        expect(await failure(read(session, copy))).toMatch(GONE)
        expect(await failure(scanned(session, copy))).toMatch(GONE)
        expect(await failure(read(session, session.table, 1))).toMatch(GONE)
        expect(await read(session, session.table, 'any')).toEqual(ROW)
        expect(await session.get('b')).toEqual(ROW)
        expect(await closed(session)).toEqual([[1], []])
      }
      await session.put('b', 'f:q', 'v', 5n)
      await upkeepOf(session).assignRegion(name, OWN_CALL)
      expect(await read(session, copy)).toEqual(ROW)
      expect(await scanned(session, copy)).toEqual(ROW)
      expect(await closed(session)).toEqual([[], []])
    })

    test('goes on where the region itself is closed, and answers reads that may be stale', async () => {
      const session = await startCopied(start)
      const region = await first(session)
      await upkeepOf(session).unassignRegion(region.name, OWN_CALL)
      expect(await closed(session)).toEqual([[0], []])
      expect(await failure(session.get('b'))).toMatch(GONE)
      expect(await read(session, await copyOf(session, 1))).toEqual(ROW)
      expect(await read(session, session.table, 1)).toEqual(ROW)
      expect(await read(session, session.table, 'any')).toEqual(ROW)
      expect(await session.scan({ mayBeStale: true })).toEqual(ROW)
      await upkeepOf(session).unassignRegion(await copyName(session), OWN_CALL)
      expect(await closed(session)).toEqual([[0, 1], []])
      expect(await failure(read(session, session.table, 'any'))).toMatch(GONE)
      expect(await failure(session.scan({ mayBeStale: true }))).toMatch(GONE)
    })

    test('has its own words for what is refused', async () => {
      const session = await startCopied(start)
      const upkeep = upkeepOf(session)
      const { encodedName } = replicaName((await first(session)).name, 1)
      const [byEncoded, name] = [bytes(encodedName), await copyName(session)]
      const unexpected = (state: string): string =>
        `DO_NOT_RETRY client.DoNotRetryRegionException Unexpected state for state=${state}, location=null, table=${session.table}, region=${encodedName}`
      expect(await refusal(upkeep.assignRegion(name, OWN_CALL))).toBe(unexpected('OPEN'))
      await upkeep.moveRegion(byEncoded, undefined, OWN_CALL)
      await upkeep.unassignRegion(byEncoded, OWN_CALL)
      expect(await refusal(upkeep.unassignRegion(name, OWN_CALL))).toBe(unexpected('CLOSED'))
      expect(await refusal(upkeep.moveRegion(byEncoded, undefined, OWN_CALL))).toBe(unexpected('CLOSED'))
      const third = await copyName(session, 2)
      for (const change of [upkeep.assignRegion(third, OWN_CALL), upkeep.unassignRegion(third, OWN_CALL)])
        expect(await refusal(change)).toMatch(/^DO_NOT_RETRY UnknownRegionException/)
      await session.store.catalog.disableTable(session.table, OWN_CALL)
      expect(await refusal(upkeep.assignRegion(name, OWN_CALL))).toMatch(/ t is disabled for state=CLOSED/)
    })

    test('is opened with its table', async () => {
      const session = await startCopied(start)
      await upkeepOf(session).unassignRegion(await copyName(session), OWN_CALL)
      await session.store.catalog.disableTable(session.table, OWN_CALL)
      await session.store.catalog.enableTable(session.table, OWN_CALL)
      expect(await closed(session)).toEqual([[], []])
      await session.reopen()
      expect(await closed(session)).toEqual([[], []])
    })

    test('stays closed where its table is altered, and is forgotten where the table asks for fewer', async () => {
      const session = await startCopied(start, 3)
      await upkeepOf(session).unassignRegion(await copyName(session), OWN_CALL)
      await upkeepOf(session).unassignRegion(await copyName(session, 2), OWN_CALL)
      await session.store.catalog.modifyTable(copied(4), OWN_CALL)
      expect(await closed(session)).toEqual([[1, 2], []])
      await session.store.catalog.modifyTable(copied(2), OWN_CALL)
      expect(await closed(session)).toEqual([[1], []])
      await session.reopen()
      await session.store.catalog.modifyTable(copied(3), OWN_CALL)
      expect(await closed(session)).toEqual([[1], []])
    })

    test('is opened in the halves of a split', async () => {
      const session = await startCopied(start)
      await upkeepOf(session).unassignRegion(await copyName(session), OWN_CALL)
      await upkeepOf(session).splitTable(session.table, bytes('c'), OWN_CALL)
      expect(await closed(session)).toEqual([[], [], []])
      expect(await read(session, await copyOf(session, 1))).toEqual(ROW)
    })
  })
}
