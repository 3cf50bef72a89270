import { describe, expect, test } from 'vitest'
import { familyDescriptor, withFamilies } from '../../../src/model/descriptor.ts'
import { regionName } from '../../../src/model/region-name.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { SnapshotDescription, Snapshots } from '../../../src/store/snapshots.ts'
import { boundsOf, described } from './described-table.ts'
import { refusal, regionsOf } from './region-sessions.ts'
import { bytes, compactTable, failure, type Session } from './store-under-test.ts'

const ROWS = ['a/f:q@5=v', 'n/f:q@5=v']

/** A table of two regions, with a row in each. */
async function startTaken(start: () => Promise<Session>): Promise<Session> {
  const session = await start()
  session.needsUpkeep('snapshots')
  await session.store.catalog.createTable(described('t'), [bytes('m')], OWN_CALL)
  for (const row of ['a', 'n']) await session.put(row, 'f:q', 'v', 5n)
  return session
}

function snapshotsOf({ store }: Session): Snapshots {
  return store.upkeep.snapshots!
}

async function listed(session: Session): Promise<SnapshotDescription[]> {
  return snapshotsOf(session).listSnapshots(OWN_CALL)
}

async function regionNames(session: Session): Promise<string[]> {
  return (await regionsOf(session)).map(({ name }) => name.toString('latin1'))
}

async function drop({ store, table }: Session): Promise<void> {
  await store.catalog.disableTable(table, OWN_CALL)
  await store.catalog.deleteTable(table, OWN_CALL)
}

export function describeSnapshots(start: () => Promise<Session>): void {
  describe('a snapshot', () => {
    test('is listed with what it is, and survives its table', async () => {
      const session = await startTaken(start)
      const { table } = session
      expect(await listed(session)).toEqual([])
      await snapshotsOf(session).createSnapshot('s2', table, 'FLUSH', OWN_CALL)
      await snapshotsOf(session).createSnapshot('s1', table, 'SKIPFLUSH', OWN_CALL, {
        timeToLiveSeconds: 600n,
      })
      const both = [
        { name: 's1', table, type: 'SKIPFLUSH', timeToLiveSeconds: 600n },
        { name: 's2', table, type: 'FLUSH', timeToLiveSeconds: 0n },
      ]
      expect(await listed(session)).toMatchObject(both)
      await drop(session)
      await session.reopen()
      expect(await listed(session)).toMatchObject(both)
      await snapshotsOf(session).deleteSnapshot('s2', OWN_CALL)
      expect(await listed(session)).toMatchObject([both[0]])
    })

    test('has the time at which it was taken, and is not cloned when its time to live is over', async () => {
      const session = await startTaken(start)
      session.needs('stillTime')
      const { table, clock } = session
      const createdAt = clock.time
      await snapshotsOf(session).createSnapshot('s', table, 'FLUSH', OWN_CALL, { timeToLiveSeconds: 60n })
      clock.time += 59_999
      expect(await listed(session)).toMatchObject([{ name: 's', createdAt }])
      clock.time += 1
      const late = snapshotsOf(session).cloneSnapshot('s', parseTableName('late'), OWN_CALL)
      await expect(late).rejects.toMatchObject({ code: 'DO_NOT_RETRY' })
      await session.reopen()
      expect(await listed(session)).toMatchObject([{ name: 's', createdAt }])
    })

    test('is told with what was given to it, out of bounds too', async () => {
      const session = await startTaken(start)
      const { table } = session
      const given = [
        { timeToLiveSeconds: -7n, maxFileBytes: 1n << 33n },
        { timeToLiveSeconds: -(1n << 63n), maxFileBytes: -5n },
        { timeToLiveSeconds: 9_223_372_036_854_775n, maxFileBytes: (1n << 63n) - 1n },
      ]
      for (const [index, options] of given.entries())
        await snapshotsOf(session).createSnapshot(`s${index}`, table, 'FLUSH', OWN_CALL, options)
      expect(await listed(session)).toMatchObject(given)
      await session.reopen()
      expect(await listed(session)).toMatchObject(given)
      const later = { timeToLiveSeconds: (1n << 63n) - 1n }
      await snapshotsOf(session).createSnapshot('s3', table, 'FLUSH', OWN_CALL, later)
      expect((await listed(session)).at(-1)).toMatchObject({ timeToLiveSeconds: 0n, maxFileBytes: 0n })
    })

    test('gives its clones the greatest size of a store file that was stated for it', async () => {
      const session = await startTaken(start)
      const { table, store } = session
      await snapshotsOf(session).createSnapshot('s', table, 'FLUSH', OWN_CALL, { maxFileBytes: 1n << 33n })
      const clone = session.on('c')
      await snapshotsOf(session).cloneSnapshot('s', clone.table, OWN_CALL)
      const of = async (name: TableName): Promise<string | undefined> =>
        (await store.catalog.table(name, OWN_CALL)).attributes.get('MAX_FILESIZE')
      expect(await of(clone.table)).toBe('8589934592')
      expect(await of(table)).toBeUndefined()
      const limited = await store.catalog.table(table, OWN_CALL)
      const attributes = new Map([...limited.attributes, ['MAX_FILESIZE', '20000000']])
      await store.catalog.modifyTable({ ...limited, attributes }, OWN_CALL)
      await snapshotsOf(session).createSnapshot('l', table, 'FLUSH', OWN_CALL, { maxFileBytes: 1n << 33n })
      const other = session.on('o')
      await snapshotsOf(session).cloneSnapshot('l', other.table, OWN_CALL)
      expect(await of(other.table)).toBe('20000000')
    })

    test('has what was there, whatever happens to the table', async () => {
      const session = await startTaken(start)
      const { table } = session
      await snapshotsOf(session).createSnapshot('s', table, 'FLUSH', OWN_CALL)
      await session.put('a', 'f:q', 'later', 6n)
      await session.change((batch) => batch.deleteRow(bytes('n')))
      await session.store.upkeep.flushes!.flushTable(table, OWN_CALL)
      await compactTable(session.store, table, { major: true })
      expect(await session.scan()).toEqual(['a/f:q@6=later'])
      const clone = session.on('c')
      await snapshotsOf(session).cloneSnapshot('s', clone.table, OWN_CALL)
      expect(await clone.scan()).toEqual(ROWS)
      const regions = await regionsOf(session)
      expect(await regionsOf(clone)).toMatchObject(
        regions.map(({ startKey, endKey, regionId }) => {
          const { name, encodedName } = regionName(clone.table, startKey, regionId)
          return { startKey, endKey, regionId, name, encodedName }
        }),
      )
      await clone.put('b', 'f:q', 'own', 7n)
      await drop(session)
      await snapshotsOf(session).deleteSnapshot('s', OWN_CALL)
      await session.reopen()
      clone.store = session.store
      expect(await clone.scan()).toEqual([ROWS[0], 'b/f:q@7=own', ROWS[1]])
      await compactTable(session.store, clone.table, { major: true })
      expect(await clone.scan()).toEqual([ROWS[0], 'b/f:q@7=own', ROWS[1]])
    })

    test('without a flush has only what was in files; of a disabled table all', async () => {
      const session = await startTaken(start)
      const { table } = session
      await session.store.upkeep.flushes!.flushTable(table, OWN_CALL)
      await session.put('b', 'f:q', 'v', 5n)
      await snapshotsOf(session).createSnapshot('s', table, 'SKIPFLUSH', OWN_CALL)
      const clone = session.on('c')
      await snapshotsOf(session).cloneSnapshot('s', clone.table, OWN_CALL)
      expect(await clone.scan()).toEqual(ROWS)
      await session.store.catalog.disableTable(table, OWN_CALL)
      await snapshotsOf(session).createSnapshot('d', table, 'SKIPFLUSH', OWN_CALL)
      const other = session.on('d')
      await snapshotsOf(session).cloneSnapshot('d', other.table, OWN_CALL)
      expect(await other.scan()).toEqual([ROWS[0], 'b/f:q@5=v', ROWS[1]])
      expect(await session.store.catalog.tableState(other.table, OWN_CALL)).toBe('ENABLED')
    })

    test('restored takes back cells, regions and families', async () => {
      const session = await startTaken(start)
      const { table, store } = session
      const before = await regionNames(session)
      const descriptor = await store.catalog.table(table, OWN_CALL)
      await snapshotsOf(session).createSnapshot('s', table, 'FLUSH', OWN_CALL)
      if (session.has('stillTime')) session.clock.time += 10
      await store.upkeep.regions!.splitTable(table, bytes('c'), OWN_CALL)
      const families = [...descriptor.families, familyDescriptor('g')]
      await store.catalog.modifyTable(withFamilies(descriptor, families), OWN_CALL)
      await session.put('a', 'g:q', 'v', 5n)
      await session.put('d', 'f:q', 'v', 5n)
      await store.catalog.disableTable(table, OWN_CALL)
      await snapshotsOf(session).restoreSnapshot('s', OWN_CALL)
      expect(await store.catalog.tableState(table, OWN_CALL)).toBe('DISABLED')
      await store.catalog.enableTable(table, OWN_CALL)
      for (const again of [false, true]) {
        if (again) await session.reopen()
        expect(await session.scan()).toEqual(ROWS)
        expect(await regionNames(session)).toEqual(before)
        expect(await session.store.catalog.table(table, OWN_CALL)).toEqual(descriptor)
      }
      await session.put('n', 'f:q', 'new', 6n)
      await session.reopen()
      await drop(session)
      await snapshotsOf(session).restoreSnapshot('s', OWN_CALL)
      expect(await session.scan()).toEqual(ROWS)
      expect(boundsOf(await regionsOf(session))).toEqual(['..m', 'm..'])
    })

    test('what is refused, in the words of HBase', async () => {
      const session = await startTaken(start)
      const { table } = session
      const snapshots = snapshotsOf(session)
      await snapshots.createSnapshot('s', table, 'FLUSH', OWN_CALL)
      const none = parseTableName('none')
      expect(await refusal(snapshots.createSnapshot('s', table, 'FLUSH', OWN_CALL))).toBe(
        "DO_NOT_RETRY snapshot.SnapshotExistsException Snapshot 's' already stored on the filesystem.",
      )
      expect(await refusal(snapshots.createSnapshot('x', none, 'FLUSH', OWN_CALL))).toBe(
        "DO_NOT_RETRY snapshot.SnapshotCreationException Table 'none' doesn't exist, can't take snapshot.",
      )
      expect(await failure(snapshots.createSnapshot('bad name', table, 'FLUSH', OWN_CALL))).toBe(
        "ILLEGAL_ARGUMENT: Illegal character code:32, < > at 3. Snapshot qualifiers may only contain 'alphanumeric characters' and digits: bad name",
      )
      expect(
        await failure(snapshots.createSnapshot('x', parseTableName('hbase:meta'), 'FLUSH', OWN_CALL)),
      ).toBe('ILLEGAL_ARGUMENT: System table snapshots are not allowed')
      expect(await failure(snapshots.restoreSnapshot('s', OWN_CALL))).toBe(`TABLE_NOT_DISABLED: ${table}`)
      expect(await refusal(snapshots.restoreSnapshot('no', OWN_CALL))).toBe(
        'DO_NOT_RETRY snapshot.RestoreSnapshotException Unable to find the table name for snapshot=no',
      )
      const missing =
        "DO_NOT_RETRY snapshot.SnapshotDoesNotExistException Snapshot 'no' doesn't exist on the filesystem"
      expect(await refusal(snapshots.deleteSnapshot('no', OWN_CALL))).toBe(missing)
      expect(await refusal(snapshots.cloneSnapshot('no', none, OWN_CALL))).toBe(missing)
      expect(await failure(snapshots.cloneSnapshot('s', table, OWN_CALL))).toBe(`TABLE_EXISTS: ${table}`)
      expect(await failure(snapshots.cloneSnapshot('s', parseTableName('no:t'), OWN_CALL))).toBe(
        'NAMESPACE_NOT_FOUND: no',
      )
    })
  })
}
