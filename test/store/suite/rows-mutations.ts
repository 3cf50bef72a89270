import { describe, expect, test } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import {
  type Condition,
  DEFAULT_MUTATION_OPTIONS,
  type RowPart,
  valueCondition,
} from '../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { append, deletion, increment, put } from './row-operations.ts'
import { bytes, failure, type Session } from './store-under-test.ts'

/** HBase makes such changes only where a table has loaded the class. */
const LOADED = [
  'coprocessor$1',
  '|org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint|536870911|',
] as const

/** Regions [ -m) and [m- ). */
async function twoRegions(session: Session): Promise<void> {
  const table = tableDescriptor(session.table, [familyDescriptor('f')], [LOADED])
  await session.store.catalog.createTable(table, [bytes('m')], OWN_CALL)
}

function part(row: string, operations: RowPart['operations'], condition?: Condition): RowPart {
  return { row: bytes(row), operations, condition, options: DEFAULT_MUTATION_OPTIONS }
}

function holds(value: string): Condition {
  return valueCondition(bytes('f'), bytes('q'), 'EQUAL', bytes(value))
}

function change(session: Session, parts: readonly RowPart[], nonce?: bigint): Promise<boolean> {
  const mutation = { parts, ...(nonce !== undefined && { nonce: { group: 7n, nonce } }) }
  return session.store.rows.mutateRows(session.table, mutation, OWN_CALL)
}

/** A change of a and b, if a has its old value and c the one that is given. */
function ofTwoRows(value: string): RowPart[] {
  return [
    part('a', [put('a', 'f:q', 'new', 6n)], holds('old')),
    part('b', [put('b', 'f:q', 'new', 6n)]),
    part('c', [], holds(value)),
  ]
}

/** Changes of several rows at once. */
export function describeRowsMutations(start: () => Promise<Session>): void {
  describe('changes of several rows', () => {
    test('are all made, in any order of rows', async () => {
      const session = await start()
      await twoRegions(session)
      await session.put('c', 'f:q', 'old', 5n)
      await session.settle()
      const parts = [
        part('d', [put('d', 'f:q', 'v', 6n)]),
        part('a', [put('a', 'f:q', 'v', 6n)]),
        part('c', [deletion((batch) => batch.deleteRow(bytes('c')))]),
        part('b', [increment('b', 'f:n', 3n, 6n), append('b', 'f:s', 'x', 6n)]),
      ]
      expect(await change(session, parts)).toBe(true)
      expect(await session.scan()).toEqual([
        'a/f:q@6=v',
        'b/f:n@6=\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x03 b/f:s@6=x',
        'd/f:q@6=v',
      ])
    })

    test('happen if every condition holds, of whatever row', async () => {
      const session = await start()
      await twoRegions(session)
      await session.put('a', 'f:q', 'old', 5n)
      await session.settle()
      expect(await change(session, ofTwoRows('old'))).toBe(false)
      expect(await session.scan()).toEqual(['a/f:q@5=old'])
      expect(await change(session, ofTwoRows(''))).toBe(true)
      expect(await session.scan()).toEqual(['a/f:q@6=new', 'b/f:q@6=new'])
    })

    test('are not made in part', async () => {
      const session = await start()
      await twoRegions(session)
      const first = part('a', [put('a', 'f:q', 'v', 6n)])
      const noFamily = change(session, [first, part('b', [put('b', 'x:q', 'v', 6n)])])
      expect(await failure(noFamily)).toMatch(/^NO_SUCH_COLUMN_FAMILY/)
      const noNumber = change(session, [first, part('a', [put('a', 'f:n', 'v', 6n)]), part('z', [])])
      expect(await noNumber).toBe(true)
      expect(
        await failure(
          change(session, [part('b', [put('b', 'f:q', 'v')]), part('a', [increment('a', 'f:n', 1n)])]),
        ),
      ).toMatch(/^DO_NOT_RETRY/)
      const strange = change(session, [part('b', [put('b', 'f:q', 'v')]), part('z', [put('z', 'f:q', 'v')])])
      expect(await failure(strange)).toBe("DO_NOT_RETRY: Requested row out of range 'z'")
      const strangeCondition = change(session, [part('b', [put('b', 'f:q', 'v')]), part('z', [], holds('v'))])
      expect(await failure(strangeCondition)).toMatch(
        /^NOT_SERVING_REGION: Requested row out of range for row lock on/,
      )
      expect(await session.scan()).toEqual(['a/f:n@6=v a/f:q@6=v'])
    })

    test('of one region that a client names', async () => {
      const session = await start()
      session.needs('regionTargets')
      await twoRegions(session)
      const [first] = await session.store.catalog.regions(session.table, OWN_CALL)
      const { encodedName } = first!
      const target = { table: session.table, encodedName }
      const inRegion = { parts: [part('a', [put('a', 'f:q', 'v', 6n)])] }
      expect(await session.store.rows.mutateRows(target, inRegion, OWN_CALL)).toBe(true)
      const outside = { parts: [part('z', [put('z', 'f:q', 'v', 6n)])] }
      expect(await failure(session.store.rows.mutateRows(target, outside, OWN_CALL))).toBe(
        "NOT_SERVING_REGION: Requested row out of range 'z'",
      )
      const none = { ...target, encodedName: '0'.repeat(32) }
      expect(await failure(session.store.rows.mutateRows(none, inRegion, OWN_CALL))).toMatch(
        /^NOT_SERVING_REGION/,
      )
      expect(await session.scan()).toEqual(['a/f:q@6=v'])
    })

    test('come once with their nonce, however often they are sent', async () => {
      const session = await start()
      await twoRegions(session)
      const parts = [part('a', [increment('a', 'f:n', 1n, 6n)]), part('b', [increment('b', 'f:n', 1n, 6n)])]
      for (const nonce of [1n, 1n]) expect(await change(session, parts, nonce)).toBe(true)
      const one = '\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01'
      expect(await session.scan()).toEqual([`a/f:n@6=${one}`, `b/f:n@6=${one}`])
    })

    test('of no rows, and on a table that is disabled or not there', async () => {
      const session = await start()
      await twoRegions(session)
      expect(await change(session, [])).toBe(true)
      await session.store.catalog.disableTable(session.table, OWN_CALL)
      const parts = [part('a', [put('a', 'f:q', 'v', 6n)])]
      expect(await failure(change(session, parts))).toMatch(/^TABLE_NOT_ENABLED/)
      await session.store.catalog.deleteTable(session.table, OWN_CALL)
      expect(await failure(change(session, parts))).toMatch(/^TABLE_NOT_FOUND/)
    })
  })
}
