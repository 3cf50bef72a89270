/**
 * Rows of a running HBase, which TIDEGATE_REAL_HBASE names by its ports, as zookeeper:PORT,...: the past, regions by name,
 * nonces, conditions, and callers who hang up.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openScanner } from '../../../../src/gateway/reads/scanner.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import type { Filter } from '../../../../src/model/filter.ts'
import {
  DEFAULT_MUTATION_OPTIONS,
  MutationBatch,
  type Nonce,
  type RowMutation,
} from '../../../../src/model/mutation.ts'
import { ALL_VERSIONS, get, type Query, type Scan, scan } from '../../../../src/model/query.ts'
import { parseTableName, type TableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { RegionLocation } from '../../../../src/store/catalog.ts'
import type { Store } from '../../../../src/store/store.ts'
import type { Target } from '../../../../src/store/target.ts'
import { append, hex, increment, put } from '../../../store/suite/row-operations.ts'
import {
  bytes,
  drain,
  failure,
  failureTexts,
  NO_GET_LIMITS,
  NO_LIMITS,
  resultTexts,
} from '../../../store/suite/store-under-test.ts'
import { caller } from '../caller.ts'
import { openLive, zookeeper } from '../live-store.ts'

const TABLE = parseTableName(`ROWS_${process.pid}`)
const PAST = parseTableName(`ROWS_past_${process.pid}`)
/** Unlike any other nonce on the cluster: its servers remember them for half an hour. */
const GROUP = BigInt(Date.now()) * 1000n + BigInt(process.pid % 1000)
const MANY = 3_000
const VALUE_BYTES = 200

function nonce(number: bigint): { nonce: Nonce } {
  return { nonce: { group: GROUP, nonce: number } }
}

function prefix(text: string): Filter {
  return { kind: 'PrefixFilter', prefix: bytes(text) }
}

function substring(text: string): RowMutation['condition'] {
  const column = { kind: 'column', family: bytes('f'), qualifier: bytes('q'), operator: 'EQUAL' } as const
  return { ...column, comparator: { kind: 'SubstringComparator', substring: text } }
}

describe.skipIf(zookeeper === undefined)('rows of a live cluster', { timeout: 60_000 }, () => {
  let store: Store
  /** Up to m, and the rest. */
  let regions: readonly RegionLocation[]

  beforeAll(async () => {
    store = await openLive()
    const versions = [['VERSIONS', '10']] as const
    const keeping = [...versions, ['KEEP_DELETED_CELLS', 'TRUE']] as const
    await store.catalog.createTable(
      tableDescriptor(TABLE, [familyDescriptor('f', versions)]),
      [bytes('m')],
      OWN_CALL,
    )
    await store.catalog.createTable(
      tableDescriptor(PAST, [familyDescriptor('f', versions), familyDescriptor('k', keeping)]),
      [],
      OWN_CALL,
    )
    regions = await store.catalog.regions(TABLE, OWN_CALL)
  }, 60_000)

  afterAll(async () => {
    for (const table of [TABLE, PAST]) {
      await store.catalog.disableTable(table, OWN_CALL)
      await store.catalog.deleteTable(table, OWN_CALL)
    }
    await store.close()
  }, 60_000)

  async function write(table: TableName, build: (batch: MutationBatch) => void): Promise<void> {
    const batch = new MutationBatch()
    build(batch)
    batch.endMutation()
    expect(await store.rows.mutate(table, batch, OWN_CALL)).toEqual([])
  }

  async function read(target: Target, row: string, query: Partial<Query> = {}): Promise<string> {
    const results = await store.rows.get(target, [get(bytes(row), query)], NO_GET_LIMITS, OWN_CALL)
    return resultTexts(results)[0]!
  }

  async function scanned(target: Target, options: Partial<Scan>): Promise<string[]> {
    return drain(await openScanner(store, target, scan(options), OWN_CALL))
  }

  async function change(mutation: Partial<RowMutation>, target: Target = TABLE): Promise<string> {
    const whole = { row: bytes('n'), operations: [], options: DEFAULT_MUTATION_OPTIONS, ...mutation }
    const { applied, results } = await store.rows.mutateRow(target, whole, OWN_CALL)
    return applied ? resultTexts(results).join().replace(/@\d+/, '') : 'not applied'
  }

  function changeIf(
    condition: RowMutation['condition'],
    operations = [put('c', 'f:p', 'v', 5n)],
  ): Promise<string> {
    return change({ row: bytes('c'), operations, condition })
  }

  test('system tables are those of the cluster', async () => {
    const names = (await store.catalog.listSystemTables(OWN_CALL)).map(({ name }) => name)
    expect(names).toContain('hbase:meta')
    expect((await store.catalog.listTables(OWN_CALL)).map(({ name }) => name)).toContain(TABLE)
    expect(await store.clusterId()).toMatch(/^[0-9a-f-]{36}$/)
  })

  test.each(['f', 'k'])('the past of a family %s', async (family) => {
    const [f, row] = [bytes(family), bytes(`row-${family}`)]
    const [a, b] = [bytes('a'), bytes('b')]
    await write(PAST, (batch) => batch.put(row, f, a, bytes('1'), 10n).put(row, f, b, bytes('1'), 10n))
    await write(PAST, (batch) => batch.put(row, f, a, bytes('2'), 20n))
    await store.upkeep.flushes!.flushTable(PAST, OWN_CALL)
    await write(PAST, (batch) => batch.deleteColumn(row, f, a, 30n))
    await write(PAST, (batch) => batch.put(row, f, a, bytes('4'), 40n))
    await write(PAST, (batch) => batch.deleteFamily(row, f, 50n))
    const seen: string[] = []
    for (const asOf of [9n, 10n, 25n, 30n, 45n, 50n]) {
      seen.push((await read(PAST, `row-${family}`, { asOf })).replaceAll(`row-${family}/${family}:`, ''))
    }
    expect(seen).toEqual(['', 'a@10=1 b@10=1', 'a@20=2 b@10=1', 'b@10=1', 'a@40=4 b@10=1', ''])
    const all = { asOf: 45n, maxVersions: ALL_VERSIONS, startRow: row, stopRow: row, includeStopRow: true }
    expect((await scanned(PAST, all)).join()).toBe(
      `row-${family}/${family}:a@40=4 row-${family}/${family}:b@10=1`,
    )
    const filter: Filter = {
      kind: 'QualifierFilter',
      operator: 'EQUAL',
      comparator: { kind: 'BinaryComparator', value: a },
    }
    expect((await scanned(PAST, { ...all, asOf: 25n, filter })).join()).toBe(
      `row-${family}/${family}:a@20=2 row-${family}/${family}:a@10=1`,
    )
    expect(await read(PAST, `row-${family}`)).toBe('')
  })

  test('a region by its name, until it is split', async () => {
    for (const row of ['a', 'b', 'n', 'o']) {
      await write(TABLE, (batch) => batch.put(bytes(row), bytes('f'), bytes('q'), bytes(row), 5n))
    }
    const [first, last] = regions as [RegionLocation, RegionLocation]
    const ref = { table: TABLE, encodedName: first.encodedName }
    expect(await read(ref, 'b')).toBe('b/f:q@5=b')
    expect(await failure(read(ref, 'n'))).toMatch(
      /^NOT_SERVING_REGION: Requested row out of range for Get on HRegion /,
    )
    expect(await scanned(ref, {})).toEqual(['a/f:q@5=a', 'b/f:q@5=b'])
    expect(await scanned(ref, { reversed: true })).toEqual(['b/f:q@5=b', 'a/f:q@5=a'])
    expect(await scanned({ table: TABLE, encodedName: last.encodedName }, {})).toEqual([
      'n/f:q@5=n',
      'o/f:q@5=o',
    ])
    const batch = new MutationBatch()
    for (const row of ['a', 'n']) batch.put(bytes(row), bytes('f'), bytes('q'), bytes('!'), 6n).endMutation()
    expect(failureTexts(await store.rows.mutate(ref, batch, OWN_CALL))).toEqual([
      expect.stringMatching(/^1 NOT_SERVING_REGION/),
    ])
    await store.upkeep.regions!.moveRegion(first.name, undefined, OWN_CALL)
    expect(await read(ref, 'a')).toBe('a/f:q@6=!')
    await store.upkeep.regions!.splitRegion(first.name, bytes('b'), OWN_CALL)
    for (const request of [read(ref, 'a'), scanned(ref, {}), store.rows.mutate(ref, batch, OWN_CALL)]) {
      expect(await failure(request)).toBe(
        `NOT_SERVING_REGION: ${ref.encodedName} is not online on this server`,
      )
    }
    expect(await read(TABLE, 'a')).toBe('a/f:q@6=!')
  })

  test('a change that comes again with its nonce is made once', async () => {
    const one = { operations: [increment('n', 'f:n', 1n)] }
    expect(await change({ ...one, ...nonce(1n) })).toBe(`n/f:n=${hex(1n)}`)
    expect(await change({ ...one, ...nonce(2n) })).toBe(`n/f:n=${hex(2n)}`)
    // The value after the change, which differs from the present one.
    expect(await change({ ...one, ...nonce(1n) })).toBe(`n/f:n=${hex(1n)}`)
    expect(await change(one)).toBe(`n/f:n=${hex(3n)}`)
    const x = { operations: [append('n', 'f:x', 'x')] }
    expect([await change({ ...x, ...nonce(3n) }), await change({ ...x, ...nonce(3n) })]).toEqual([
      'n/f:x=x',
      'n/f:x=x',
    ])
    const both = { operations: [increment('n', 'f:n', 1n), put('n', 'f:p', 'v', 5n)] }
    expect(await change({ ...both, ...nonce(4n) })).toBe(`n/f:n=${hex(4n)}`)
    await change({ ...both, ...nonce(4n) })
    expect(await change({ ...one, returnResults: false })).toBe('')
    expect(await change(one)).toBe(`n/f:n=${hex(6n)}`)
  })

  test('conditions by comparators and by filters', async () => {
    await write(TABLE, (batch) => batch.put(bytes('c'), bytes('f'), bytes('q'), bytes('value'), 5n))
    // A server of HBase 2.6 takes the bytes of a comparator of any kind for those of a BinaryComparator.
    expect(await changeIf(substring('value'))).toBe('')
    expect(await changeIf(substring('al'))).toBe('not applied')
    expect(await changeIf({ kind: 'filter', filter: prefix('c') })).toBe('')
    expect(await changeIf({ kind: 'filter', filter: prefix('d') })).toBe('not applied')
    // Of no changes the condition is looked at here.
    expect(await changeIf({ kind: 'filter', filter: prefix('c') }, [])).toBe('')
    expect(await changeIf({ kind: 'filter', filter: prefix('d') }, [])).toBe('not applied')
  })

  test('a caller who hangs up ends what it has asked for', async () => {
    const batch = new MutationBatch()
    const rows = Array.from({ length: MANY }, (_, i) => bytes(`many${String(i).padStart(5, '0')}`))
    for (const row of rows)
      batch.put(row, bytes('f'), bytes('q'), Buffer.alloc(VALUE_BYTES), 5n).endMutation()
    expect(await store.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
    const first = caller()
    const gets = rows.map((row) => get(row))
    const outcomes = [
      failure(store.rows.get(TABLE, gets, NO_GET_LIMITS, first.call)),
      failure(store.rows.openScanner(TABLE, scan(), first.call)),
    ]
    await new Promise((resolve) => setImmediate(resolve))
    first.hangUp()
    for (const outcome of outcomes) expect(await outcome).toMatch(/^CALLER_GONE/)
    const within = { startRow: bytes('many'), stopRow: bytes('manz') }
    const scanner = await openScanner(store, TABLE, scan(within), OWN_CALL)
    const seen: string[] = resultTexts((await scanner.next({ ...NO_LIMITS, rows: 100 }, OWN_CALL)).results)
    const second = caller()
    const limits = { ...NO_LIMITS, rows: 10_000 }
    const outcome = scanner.next(limits, second.call).then(
      ({ results }) => void seen.push(...resultTexts(results)),
      (error: { code: string }) => expect(error.code).toBe('CALLER_GONE'),
    )
    await new Promise((resolve) => setImmediate(resolve))
    second.hangUp()
    await outcome
    // Another goes on with the scan where it stands.
    seen.push(...(await drain(scanner)))
    expect(seen.map((text) => text.slice(0, 9))).toEqual(rows.map(String))
    expect((await store.rows.get(TABLE, gets, { bytes: 50_000 }, OWN_CALL)).counts).toHaveLength(213)
  })

  test('a scan of limited time says how far it has come', async () => {
    const filter: Filter = {
      kind: 'ValueFilter',
      operator: 'EQUAL',
      comparator: { kind: 'BinaryComparator', value: bytes('of no cell') },
    }
    const scanner = await openScanner(store, TABLE, scan({ filter }), OWN_CALL)
    let ended = 'batch'
    while (ended !== 'scan') {
      const batch = await scanner.next({ ...NO_LIMITS, timeMs: 1 }, OWN_CALL)
      expect(batch.results.counts).toEqual([])
      ended = batch.ended
    }
    await scanner.close()
  })
})
