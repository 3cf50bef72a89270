import { describe, expect, test } from 'vitest'
import { toStringBinary } from '../../../src/model/bytes.ts'
import { type TableDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { RegionLocation } from '../../../src/store/catalog.ts'
import { boundsOf, described } from './described-table.ts'
import { refusal, regionsOf, startSplit, upkeepOf } from './region-sessions.ts'
import { bytes, failure, type Session } from './store-under-test.ts'

const UNKNOWN = bytes('0123456789abcdef0123456789abcdef')

function bounds({ encodedName, name, startKey, endKey }: RegionLocation): string {
  const [full, start, end] = [name, startKey, endKey].map(toStringBinary)
  return `{ENCODED => ${encodedName}, NAME => '${full}', STARTKEY => '${start}', ENDKEY => '${end}'}`
}

/** Changes of regions that HBase's master refuses. */
export function describeRegionRefusals(start: () => Promise<Session>): void {
  describe('a change of regions', () => {
    test('what is refused, in the words of HBase', async () => {
      const session = await startSplit(start, ['m', 't'])
      const upkeep = upkeepOf(session)
      const [first, second, third] = await regionsOf(session)
      const noRegion = `DO_NOT_RETRY UnknownRegionException ${UNKNOWN.toString()}`
      expect(await refusal(upkeep.splitRegion(UNKNOWN, undefined, OWN_CALL))).toBe(noRegion)
      expect(await refusal(upkeep.mergeRegions([first!.name, UNKNOWN], false, OWN_CALL))).toBe(noRegion)
      expect(await refusal(upkeep.moveRegion(UNKNOWN, undefined, OWN_CALL))).toBe(noRegion)
      expect(await refusal(upkeep.splitRegion(first!.name, undefined, OWN_CALL))).toBe(
        'DO_NOT_RETRY DoNotRetryIOException Region not splittable because bestSplitPoint = null, maybe table is too small for auto split. For force split, try specifying split row',
      )
      for (const row of ['m', 'z']) {
        expect(await refusal(upkeep.splitRegion(first!.name, bytes(row), OWN_CALL))).toBe(
          `DO_NOT_RETRY DoNotRetryIOException Split row is not inside region key range splitKey:${row} region: ${bounds(first!)}`,
        )
      }
      expect(await failure(upkeep.splitRegion(second!.name, bytes('m'), OWN_CALL))).toBe(
        'REFUSED: should not give a splitkey which equals to startkey!',
      )
      expect(await failure(upkeep.mergeRegions([first!.name], false, OWN_CALL))).toBe(
        'DO_NOT_RETRY: Need two Regions at least to run a Merge',
      )
      expect(await refusal(upkeep.mergeRegions([first!.name, third!.name], false, OWN_CALL))).toBe(
        `DO_NOT_RETRY exceptions.MergeRegionException Unable to merge non-adjacent or non-overlapping regions '${first!.encodedName}', '${third!.encodedName}' when force=false`,
      )
      const outOfOrder = [third!.name, first!.name, second!.name]
      expect(await refusal(upkeep.mergeRegions(outOfOrder, false, OWN_CALL))).toBe(
        `DO_NOT_RETRY exceptions.MergeRegionException Unable to merge non-adjacent or non-overlapping regions '${third!.encodedName}', '${first!.encodedName}' when force=false`,
      )
      expect(await refusal(upkeep.mergeRegions([first!.name, first!.name], false, OWN_CALL))).toBe(
        'DO_NOT_RETRY exceptions.MergeRegionException Duplicate regions specified; cannot merge a region to itself. Passed in 2 but only 1 unique.',
      )
      expect(await refusal(upkeep.assignRegion(first!.name, OWN_CALL))).toMatch(
        /^DO_NOT_RETRY client.DoNotRetryRegionException Unexpected state for state=OPEN, /,
      )
      await upkeep.unassignRegion(second!.name, OWN_CALL)
      const closed = `${second!.encodedName} is not OPEN; state=CLOSED`
      expect(await refusal(upkeep.unassignRegion(second!.name, OWN_CALL))).toBe(
        `DO_NOT_RETRY client.DoNotRetryRegionException Unexpected state for state=CLOSED, location=null, table=${session.table}, region=${second!.encodedName}`,
      )
      expect(await refusal(upkeep.splitRegion(second!.name, bytes('p'), OWN_CALL))).toBe(
        `DO_NOT_RETRY client.DoNotRetryRegionException ${closed}`,
      )
      expect(await refusal(upkeep.mergeRegions([first!.name, second!.name], false, OWN_CALL))).toBe(
        `DO_NOT_RETRY exceptions.MergeRegionException org.apache.hadoop.hbase.client.DoNotRetryRegionException: ${closed}`,
      )
      expect(boundsOf(await regionsOf(session))).toEqual(['..m', 'm..t', 't..'])
    })

    test('what is refused of a disabled table', async () => {
      const session = await startSplit(start)
      const upkeep = upkeepOf(session)
      const { table } = session
      const [first, second] = await regionsOf(session)
      await session.store.catalog.disableTable(table, OWN_CALL)
      expect(await failure(upkeep.splitTable(table, bytes('b'), OWN_CALL))).toMatch(/^TABLE_NOT_ENABLED: /)
      expect(await failure(upkeep.splitRegion(first!.name, bytes('b'), OWN_CALL))).toMatch(
        /^TABLE_NOT_ENABLED: /,
      )
      for (const [named, other] of [
        [first!, second!],
        [second!, first!],
      ] as const) {
        expect(await refusal(upkeep.mergeRegions([named.name, other.name], false, OWN_CALL))).toBe(
          `DO_NOT_RETRY exceptions.MergeRegionException org.apache.hadoop.hbase.client.DoNotRetryRegionException: ${named.encodedName} is not OPEN; state=CLOSED`,
        )
      }
      const place = `state=CLOSED, location=null, table=${table}, region=${first!.encodedName}`
      expect(await refusal(upkeep.assignRegion(first!.name, OWN_CALL))).toBe(
        `DO_NOT_RETRY DoNotRetryIOException ${table} is disabled for ${place}`,
      )
      for (const change of [
        () => upkeep.unassignRegion(first!.name, OWN_CALL),
        () => upkeep.moveRegion(first!.name, undefined, OWN_CALL),
      ]) {
        expect(await refusal(change())).toBe(
          `DO_NOT_RETRY client.DoNotRetryRegionException Unexpected state for ${place}`,
        )
      }
    })

    test('what the table forbids', async () => {
      const session = await start()
      session.needsUpkeep('regions')
      const make = async (stated: [string, string][]): Promise<readonly RegionLocation[]> => {
        const { families } = described('t')
        const table: TableDescriptor = tableDescriptor(session.table, families, stated)
        await session.store.catalog.createTable(table, [bytes('m')], OWN_CALL)
        return regionsOf(session)
      }
      const upkeep = upkeepOf(session)
      const [first, second] = await make([
        ['SPLIT_ENABLED', 'false'],
        ['MERGE_ENABLED', 'FALSE'],
      ])
      expect(await refusal(upkeep.splitRegion(first!.name, bytes('b'), OWN_CALL))).toBe(
        `DO_NOT_RETRY DoNotRetryIOException Split region ${toStringBinary(first!.name)} failed as region split is disabled for the table`,
      )
      expect(await refusal(upkeep.mergeRegions([first!.name, second!.name], false, OWN_CALL))).toBe(
        `DO_NOT_RETRY DoNotRetryIOException Merge of [${first!.encodedName}, ${second!.encodedName}] failed as region merge is disabled for the table`,
      )
      session.table = session.on('v').table
      expect(await failure(make([['SPLIT_POLICY', 'no.such.Policy']]))).toMatch(
        /^DO_NOT_RETRY: Unable to load configured region split policy 'no\.such\.Policy' for table 'v' Set hbase/,
      )
      expect(await failure(make([['coprocessor$1', '|no.such.Observer|1073741823|']]))).toMatch(
        /^DO_NOT_RETRY: Class no\.such\.Observer cannot be loaded/,
      )
    })
  })
}
