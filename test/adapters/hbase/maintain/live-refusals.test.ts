/** The refusals of a running HBase: TIDEGATE_REAL_HBASE names its ports, as zookeeper:PORT,... */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import type { Upkeep } from '../../../../src/store/upkeep.ts'
import { openLive, zookeeper } from '../live-store.ts'

const TABLE = parseTableName(`MAINTAIN_refusals_${process.pid}`)
const SNAPSHOT = `MAINTAIN_refusals_${process.pid}`
const UNKNOWN = Buffer.from(`${TABLE},,1.0123456789abcdef0123456789abcdef.`)
const UNKNOWN_ENCODED = Buffer.from('0123456789abcdef0123456789abcdef')

describe.skipIf(zookeeper === undefined)('a live cluster', { timeout: 120_000 }, () => {
  let store: Store
  let upkeep: Required<Upkeep>

  beforeAll(async () => {
    store = await openLive()
    upkeep = store.upkeep as Required<Upkeep>
    await store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
    await upkeep.snapshots.createSnapshot(SNAPSHOT, TABLE, 'FLUSH', OWN_CALL)
  }, 60_000)

  afterAll(async () => {
    await upkeep.snapshots.deleteSnapshot(SNAPSHOT, OWN_CALL)
    await store.catalog.disableTable(TABLE, OWN_CALL)
    await store.catalog.deleteTable(TABLE, OWN_CALL)
    await store.close()
  }, 60_000)

  test.each<[string, string, string | undefined, (upkeep: Required<Upkeep>) => Promise<unknown>]>([
    [
      'compaction of no table',
      'TABLE_NOT_FOUND',
      undefined,
      ({ compactions }) =>
        compactions.compactTable(parseTableName('MAINTAIN_no'), { major: false }, OWN_CALL),
    ],
    [
      'compaction of no family',
      'NO_SUCH_COLUMN_FAMILY',
      undefined,
      ({ compactions }) =>
        compactions.compactTable(TABLE, { major: false, family: Buffer.from('zz') }, OWN_CALL),
    ],
    [
      'compaction of no region',
      'ILLEGAL_ARGUMENT',
      undefined,
      ({ compactions }) => compactions.compactRegion(UNKNOWN, { major: false }, OWN_CALL),
    ],
    [
      'compaction of no encoded region',
      'ILLEGAL_ARGUMENT',
      undefined,
      ({ compactions }) => compactions.compactRegion(UNKNOWN_ENCODED, { major: false }, OWN_CALL),
    ],
    [
      'compaction of what is no region',
      'ILLEGAL_ARGUMENT',
      undefined,
      ({ compactions }) => compactions.compactRegion(Buffer.from('x'), { major: false }, OWN_CALL),
    ],
    [
      'flush of no region',
      'ILLEGAL_ARGUMENT',
      undefined,
      ({ flushes }) => flushes.flushRegion(UNKNOWN, undefined, OWN_CALL),
    ],
    [
      'state of no table',
      'TABLE_NOT_FOUND',
      undefined,
      ({ compactions }) => compactions.compactionState(parseTableName('MAINTAIN_no'), OWN_CALL),
    ],
    [
      'split of no table',
      'TABLE_NOT_FOUND',
      undefined,
      ({ regions }) => regions.splitTable(parseTableName('MAINTAIN_no'), undefined, OWN_CALL),
    ],
    [
      'split of no region',
      'DO_NOT_RETRY',
      'UnknownRegionException',
      ({ regions }) => regions.splitRegion(UNKNOWN, undefined, OWN_CALL),
    ],
    [
      'split at its start',
      'REFUSED',
      undefined,
      ({ regions }) => regions.splitTable(TABLE, Buffer.alloc(0), OWN_CALL),
    ],
    [
      'merge of one',
      'DO_NOT_RETRY',
      undefined,
      ({ regions }) => regions.mergeRegions([UNKNOWN], false, OWN_CALL),
    ],
    [
      'merge of none',
      'DO_NOT_RETRY',
      'UnknownRegionException',
      ({ regions }) => regions.mergeRegions([UNKNOWN, UNKNOWN_ENCODED], false, OWN_CALL),
    ],
    [
      'move of none',
      'DO_NOT_RETRY',
      'UnknownRegionException',
      ({ regions }) => regions.moveRegion(UNKNOWN_ENCODED, undefined, OWN_CALL),
    ],
    [
      'snapshot of no table',
      'DO_NOT_RETRY',
      'snapshot.SnapshotCreationException',
      ({ snapshots }) =>
        snapshots.createSnapshot(`${SNAPSHOT}_no`, parseTableName('MAINTAIN_no'), 'FLUSH', OWN_CALL),
    ],
    [
      'snapshot of a bad name',
      'ILLEGAL_ARGUMENT',
      undefined,
      ({ snapshots }) => snapshots.createSnapshot('bad name', TABLE, 'FLUSH', OWN_CALL),
    ],
    [
      'snapshot of hbase:meta',
      'ILLEGAL_ARGUMENT',
      undefined,
      ({ snapshots }) => snapshots.createSnapshot(SNAPSHOT, parseTableName('hbase:meta'), 'FLUSH', OWN_CALL),
    ],
    [
      'deletion of none',
      'DO_NOT_RETRY',
      'snapshot.SnapshotDoesNotExistException',
      ({ snapshots }) => snapshots.deleteSnapshot(`${SNAPSHOT}_no`, OWN_CALL),
    ],
    [
      'restoration of none',
      'DO_NOT_RETRY',
      'snapshot.RestoreSnapshotException',
      ({ snapshots }) => snapshots.restoreSnapshot(`${SNAPSHOT}_no`, OWN_CALL),
    ],
    [
      'cloning of none',
      'DO_NOT_RETRY',
      'snapshot.SnapshotDoesNotExistException',
      ({ snapshots }) => snapshots.cloneSnapshot(`${SNAPSHOT}_no`, parseTableName('MAINTAIN_no'), OWN_CALL),
    ],
    [
      'cloning to no namespace',
      'NAMESPACE_NOT_FOUND',
      undefined,
      ({ snapshots }) => snapshots.cloneSnapshot(SNAPSHOT, parseTableName('MAINTAIN_no:t'), OWN_CALL),
    ],
  ])('refuses the %s', async (_, code, javaClass, call) => {
    const error: unknown = await call(upkeep).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code })
    if (javaClass !== undefined) {
      expect(error).toMatchObject({ javaClass: `org.apache.hadoop.hbase.${javaClass}` })
    }
  })
})
