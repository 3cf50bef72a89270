import { describe, expect, test } from 'vitest'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import { toStringBinary } from '../../../src/model/bytes.ts'
import type { HBaseError } from '../../../src/model/errors.ts'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch } from '../../../src/model/mutation.ts'
import { get, type Scan, scan } from '../../../src/model/query.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Target } from '../../../src/store/target.ts'
import { described } from './described-table.ts'
import { put } from './row-operations.ts'
import { bytes, drain, failure, NO_GET_LIMITS, resultTexts, type Session } from './store-under-test.ts'

const ROWS = ['a', 'b', 'm', 'n', 'z']
/** The encoded name of no region. */
const UNKNOWN = '00000000000000000000000000000000'

/** Regions [ -m), [m-x), [x- ), with rows in each. */
async function threeRegions(session: Session): Promise<void> {
  await session.store.catalog.createTable(described('t'), ['m', 'x'].map(bytes), OWN_CALL)
  for (const row of ROWS) await session.put(row, 'f:q', 'v', 5n)
  await session.settle()
}

async function regionAt(session: Session, index: number): Promise<Target> {
  const regions = await session.store.catalog.regions(session.table, OWN_CALL)
  return { table: session.table, encodedName: regions[index]!.encodedName }
}

async function scanOf(session: Session, target: Target, wanted: Partial<Scan> = {}): Promise<string> {
  const texts = await drain(await openScanner(session.store, target, scan(wanted), OWN_CALL))
  return texts.map((text) => text.split('/')[0]).join(' ')
}

function putOf(...rows: string[]): MutationBatch {
  const batch = new MutationBatch()
  for (const row of rows) batch.put(bytes(row), bytes('f'), bytes('q'), bytes('new'), 6n).endMutation()
  return batch
}

/** Every kind of request of a region's rows. */
function requests(session: Session, target: Target): Promise<unknown>[] {
  const { rows } = session.store
  const mutation = {
    row: bytes('m'),
    operations: [put('m', 'f:q', 'new', 6n)],
    options: DEFAULT_MUTATION_OPTIONS,
  }
  return [
    rows.get(target, [get(bytes('m'))], NO_GET_LIMITS, OWN_CALL),
    scanOf(session, target),
    rows.mutate(target, putOf('m'), OWN_CALL),
    rows.mutateRow(target, mutation, OWN_CALL),
  ]
}

async function classOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.catch((thrown: HBaseError) => thrown)
  return (error as HBaseError).javaClass
}

/** Requests that name one region of a table. */
export function describeRegionTargets(start: () => Promise<Session>): void {
  describe('requests of one region', () => {
    test('are answered of its rows', async () => {
      const session = await start()
      session.needs('regionTargets')
      await threeRegions(session)
      const { rows } = session.store
      const middle = await regionAt(session, 1)
      const gets = ['n', 'm', 'mm'].map((row) => get(bytes(row)))
      const found = await rows.get(middle, gets, NO_GET_LIMITS, OWN_CALL)
      expect(resultTexts(found)).toEqual(['n/f:q@5=v', 'm/f:q@5=v', ''])
      expect(await rows.mutate(middle, putOf('m', 'o'), OWN_CALL)).toEqual([])
      const mutation = {
        row: bytes('n'),
        operations: [put('n', 'f:p', 'too', 6n)],
        options: DEFAULT_MUTATION_OPTIONS,
      }
      expect((await rows.mutateRow(middle, mutation, OWN_CALL)).applied).toBe(true)
      expect(await session.scan({ startRow: bytes('m'), stopRow: bytes('x') })).toEqual([
        'm/f:q@6=new',
        'n/f:p@6=too n/f:q@5=v',
        'o/f:q@6=new',
      ])
    })

    test('a scan ends where the region does', async () => {
      const session = await start()
      session.needs('regionTargets')
      await threeRegions(session)
      const [first, middle, last] = await Promise.all([0, 1, 2].map((index) => regionAt(session, index)))
      expect(await scanOf(session, first!)).toBe('a b')
      expect(await scanOf(session, middle!)).toBe('m n')
      expect(await scanOf(session, last!)).toBe('z')
      expect(await scanOf(session, middle!, { reversed: true })).toBe('n m')
      expect(await scanOf(session, middle!, { startRow: bytes('n'), stopRow: bytes('zz') })).toBe('n')
      expect(await scanOf(session, first!, { startRow: bytes('b'), limit: 5 })).toBe('b')
      expect(await scanOf(session, first!, { startRow: bytes('b'), reversed: true })).toBe('b a')
    })

    test('of rows that it does not have', async () => {
      const session = await start()
      session.needs('regionTargets')
      await threeRegions(session)
      const { rows } = session.store
      const [region] = (await session.store.catalog.regions(session.table, OWN_CALL)).slice(1)
      const middle = await regionAt(session, 1)
      const gets = ['m', 'b'].map((row) => get(bytes(row)))
      const mutation = {
        row: bytes('x'),
        operations: [put('x', 'f:q', 'new', 6n)],
        options: DEFAULT_MUTATION_OPTIONS,
      }
      const refused = [
        () => rows.get(middle, gets, NO_GET_LIMITS, OWN_CALL),
        () => rows.mutateRow(middle, mutation, OWN_CALL),
      ]
      for (const request of refused) {
        expect(await failure(request())).toMatch(/^NOT_SERVING_REGION: Requested row out of range for /)
        expect(await classOf(request())).toBe('org.apache.hadoop.hbase.regionserver.WrongRegionException')
      }
      const name = toStringBinary(region!.name)
      expect(await failure(refused[0]!())).toBe(
        `NOT_SERVING_REGION: Requested row out of range for Get on HRegion ${name}, ` +
          "startKey='m', getEndKey()='x', row='b'",
      )
      const failures = await rows.mutate(middle, putOf('a', 'n', 'x'), OWN_CALL)
      expect(failures.map(({ index, error }) => `${index} ${error.code}`)).toEqual([
        '0 NOT_SERVING_REGION',
        '2 NOT_SERVING_REGION',
      ])
      expect(await session.scan()).toEqual(
        ROWS.map((row) => (row === 'n' ? 'n/f:q@6=new' : `${row}/f:q@5=v`)),
      )
    })

    test('that is not there, or that is of another table', async () => {
      const session = await start()
      session.needs('regionTargets')
      await threeRegions(session)
      await session.on('u').create()
      const { encodedName } = (await regionAt(session.on('u'), 0)) as { encodedName: string }
      const { table } = session
      for (const target of [
        { table, encodedName: UNKNOWN },
        { table, encodedName },
      ]) {
        for (const text of await Promise.all(requests(session, target).map(failure))) {
          expect(text).toMatch(new RegExp(`^NOT_SERVING_REGION: ${target.encodedName} is not online on `))
        }
      }
    })

    test('that was there before', async () => {
      const session = await start()
      session.needs('regionTargets')
      await threeRegions(session)
      const stale = await regionAt(session, 1)
      session.clock.time += 1
      const { catalog } = session.store
      await catalog.disableTable(session.table, OWN_CALL)
      await catalog.truncateTable(session.table, true, OWN_CALL)
      for (const text of await Promise.all(requests(session, stale).map(failure))) {
        expect(text).toMatch(/^NOT_SERVING_REGION/)
      }
      expect(await scanOf(session, await regionAt(session, 1))).toBe('')
    })

    test('of a table that is disabled, or not there', async () => {
      const session = await start()
      session.needs('regionTargets')
      await threeRegions(session)
      const offline = await regionAt(session, 1)
      await session.store.catalog.disableTable(session.table, OWN_CALL)
      const missing = { table: parseTableName('none'), encodedName: UNKNOWN }
      for (const [target, code] of [
        [offline, 'TABLE_NOT_ENABLED'],
        [missing, 'TABLE_NOT_FOUND'],
      ] as const) {
        for (const text of await Promise.all(requests(session, target).map(failure))) {
          expect(text).toMatch(new RegExp(`^(${code}|NOT_SERVING_REGION)`))
        }
      }
    })
  })
}
