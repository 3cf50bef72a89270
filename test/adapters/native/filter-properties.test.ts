/** Random data, random trees of filters and random queries: the engine, whose cells lie in several runs, against the oracle. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { CellType } from '../../../src/model/cell.ts'
import { ALL_VERSIONS, type Query, type Scan } from '../../../src/model/query.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import type { ScanLimits } from '../../../src/store/handouts.ts'
import { totalComparators } from '../../filter/comparator-arbitrary.ts'
import { type FilterWords, filterArbitrary } from '../../filter/filter-arbitrary.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { testRuns } from '../../harness/test-runs.ts'
import { Replica } from '../../store/differential/replica.ts'
import type { CellChange, Step } from '../../store/differential/step.ts'
import { columns, TestClock } from '../../store/suite/store-under-test.ts'

const TABLE = parseTableName('t')
const WHOLE_TABLE = { table: TABLE, region: 'all', pauseMs: 0 } as const
const ROWS = ['a', 'aa', 'ab', 'b', 'ba', 'bb', 'c', 'ca']
const QUALIFIERS = ['', 'a', 'ab', 'b', 'c']
const VALUES = ['', 'a', 'b', 'ab', 'a.b']

function buffers(texts: readonly string[]): fc.Arbitrary<Buffer> {
  return fc.constantFrom(...texts).map((text) => Buffer.from(text))
}

const timestamp = fc.bigInt({ min: 1n, max: 6n })
const words = {
  rows: buffers(ROWS),
  families: buffers(['f', 'g', 'x']),
  qualifiers: buffers(QUALIFIERS),
  values: buffers(VALUES),
  timestamps: timestamp,
  comparators: totalComparators(buffers([...ROWS, ...VALUES, 'f', 'g']), ['a', '^a', 'b$', 'a.b', '']),
  // The oracle cannot foretell a random choice.
  without: ['RandomRowFilter'] as const,
  depth: 2,
} satisfies FilterWords

const cell: fc.Arbitrary<CellChange> = fc
  .record({
    family: fc.constantFrom('f', 'f', 'g'),
    qualifier: fc.constantFrom(...QUALIFIERS),
    type: fc.constantFrom(
      ...Array.from({ length: 9 }, () => CellType.Put),
      CellType.Delete,
      CellType.DeleteColumn,
      CellType.DeleteFamily,
    ),
    timestamp,
    value: fc.constantFrom(...VALUES),
  })
  .map((change) => {
    if (change.type === CellType.Put) return change
    return { ...change, value: '', qualifier: change.type === CellType.DeleteFamily ? '' : change.qualifier }
  })

const change = fc.record({
  row: fc.constantFrom(...ROWS),
  cells: fc.array(cell, { minLength: 1, maxLength: 5 }),
  ttlMs: fc.constant(undefined),
  durability: fc.constant('USE_DEFAULT' as const),
})

/** Some rows, then a flush or not, a few times over. */
const writes: fc.Arbitrary<Step[]> = fc
  .array(fc.tuple(fc.array(change, { minLength: 1, maxLength: 8 }), fc.boolean()), {
    minLength: 1,
    maxLength: 4,
  })
  .map((rounds) =>
    rounds.flatMap(([changes, flushes]): Step[] => {
      const mutate: Step = { kind: 'mutate', changes, ...WHOLE_TABLE }
      return flushes ? [mutate, { kind: 'flushTable', table: TABLE, pauseMs: 0 }] : [mutate]
    }),
  )

const asked = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ filter: filterArbitrary(words), timeRange: fc.constant(TimeRange.ALL) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      // The places of the cells decide if the filter sees rows without a cell in the time range.
      filter: filterArbitrary({ ...words, without: [...words.without, 'WhileMatchFilter'] }),
      timeRange: fc.constant(TimeRange.between(2n, 5n)),
    }),
  },
)

const query: fc.Arbitrary<Partial<Query>> = fc
  .record({
    asked,
    names: fc.constantFrom<string[]>([], [], [], ['f'], ['f:a', 'f:b', 'g'], ['f:', 'g:a']),
    maxVersions: fc.constantFrom(1, 1, 2, ALL_VERSIONS),
    familyLimit: fc.constantFrom(-1, -1, -1, 1, 2),
    familyOffset: fc.constantFrom(0, 0, 0, 1),
  })
  .map(({ asked: { filter, timeRange }, names, ...rest }) => {
    return { ...rest, filter, timeRange, ...columns(...names) }
  })

const bound = fc.oneof({ weight: 2, arbitrary: fc.constant(Buffer.alloc(0)) }, words.rows)
const scanned: fc.Arbitrary<Partial<Scan>> = fc
  .record({
    query,
    startRow: bound,
    includeStartRow: fc.boolean(),
    stopRow: bound,
    includeStopRow: fc.boolean(),
    reversed: fc.boolean(),
    batch: fc.constantFrom(-1, -1, -1, 1, 2),
    limit: fc.constantFrom(-1, -1, 1, 3),
  })
  .map(({ query: part, ...rest }) => ({ ...part, ...rest }))

const limits: fc.Arbitrary<ScanLimits> = fc.record({
  rows: fc.constantFrom(1, 2, 1000),
  bytes: fc.constantFrom(1, 100, 1_000_000),
  allowPartial: fc.boolean(),
})

const reads: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .record({ scan: scanned, limits })
        .map((parts): Step => ({ kind: 'scan', ...WHOLE_TABLE, ...parts })),
    },
    {
      weight: 1,
      arbitrary: query.map(
        (part): Step => ({ kind: 'get', rows: ROWS, query: part, bytes: 1 << 20, ...WHOLE_TABLE }),
      ),
    },
  ),
  { minLength: 4, maxLength: 12 },
)

const creation: fc.Arbitrary<Step> = fc
  .record({
    versions: fc.constantFrom('1', '2', '3'),
    keep: fc.constantFrom('FALSE', 'FALSE', 'TRUE'),
    splits: fc.constantFrom<string[]>([], [], ['b'], ['ab', 'c']),
  })
  .map(({ versions, keep, splits }) => ({
    kind: 'createTable',
    table: TABLE,
    pauseMs: 0,
    splits,
    families: ['f', 'g'].map((name) => ({
      name,
      attributes: { VERSIONS: versions, KEEP_DELETED_CELLS: keep },
    })),
  }))

async function compare(steps: readonly Step[]): Promise<void> {
  const clock = new TestClock()
  const memory = new Replica(openMemoryStore({ clock }))
  const native = new Replica(
    await openNativeStore({
      directory: '/s',
      fileSystem: new CrashableFileSystem(),
      clock,
      random: () => 0.5,
      options: { scanSliceCells: 4, poisonReleased: true, awakeBytesMax: 0 },
    }),
  )
  try {
    for (const step of steps) {
      const [expected, actual] = [await memory.run(step), await native.run(step)]
      expect(actual, fc.stringify(step)).toEqual(expected)
    }
  } finally {
    await native.store.close()
    await memory.store.close()
  }
}

it('the same rows pass as in the oracle', async () => {
  await fc.assert(
    fc.asyncProperty(creation, writes, reads, (made, written, read) => compare([made, ...written, ...read])),
    { numRuns: testRuns(20) },
  )
})
