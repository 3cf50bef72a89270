import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { type CellParts, CellType } from '../../../../src/model/cell.ts'
import { blockOf, cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { isHBaseError } from '../../../../src/model/errors.ts'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch } from '../../../../src/model/mutation.ts'
import { get } from '../../../../src/model/query.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { LATEST_TIMESTAMP } from '../../../../src/model/timestamp.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'

const TABLE = parseTableName('t')
const [FAMILY, QUALIFIER] = [Buffer.from('f'), Buffer.from('q')]

interface Change {
  readonly kind: 'increment' | 'append' | 'put' | 'delete' | 'flush'
  readonly value: Buffer
  readonly timestamp: bigint
  readonly tags: Buffer
  readonly ttlMs: number | undefined
}

const anyChange: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('increment', 'increment', 'increment', 'append', 'put', 'delete', 'flush'),
  value: fc
    .oneof(
      { weight: 4, arbitrary: fc.uint8Array({ minLength: 8, maxLength: 8 }) },
      fc.uint8Array({ maxLength: 20 }),
    )
    .map((bytes) => Buffer.from(bytes)),
  timestamp: fc.oneof({ weight: 3, arbitrary: fc.constant(LATEST_TIMESTAMP) }, fc.constantFrom(5n, 2000n)),
  tags: fc.constantFrom(Buffer.alloc(0), Buffer.from('000940aa', 'hex')),
  ttlMs: fc.constantFrom(undefined, undefined, 3),
})

let now = 1000

/** Makes the change in the row, of one column or of another one, too; the outcome is that of the first column. */
async function change(store: Store, name: string, hasOther: boolean, asked: Change): Promise<string> {
  const { kind, value, timestamp, tags, ttlMs } = asked
  const row = Buffer.from(name)
  if (kind === 'flush') {
    await store.upkeep.flushes!.flushTable(TABLE, OWN_CALL)
    return ''
  }
  const options = { ...DEFAULT_MUTATION_OPTIONS, ...(ttlMs !== undefined && { ttlMs }) }
  if (kind === 'put' || kind === 'delete') {
    const batch = new MutationBatch()
    if (kind === 'put') batch.put(row, FAMILY, QUALIFIER, value, timestamp)
    else batch.deleteColumn(row, FAMILY, QUALIFIER, timestamp)
    batch.endMutation(options)
    await store.rows.mutate(TABLE, batch, OWN_CALL)
    return ''
  }
  const cell: CellParts = {
    row,
    family: FAMILY,
    qualifier: QUALIFIER,
    timestamp,
    type: CellType.Put,
    value,
    tags,
  }
  const others = hasOther
    ? [{ ...cell, qualifier: Buffer.from(kind), value: Buffer.alloc(8), tags: Buffer.alloc(0) }]
    : []
  const operations = [{ kind, cells: blockOf([...others, cell]) }]
  try {
    const mutation = { row, operations, options, withTags: true }
    const { results } = await store.rows.mutateRow(TABLE, mutation, OWN_CALL)
    return textOf(cellsOf(results.cells))
  } catch (error) {
    return isHBaseError(error) ? error.code : String(error)
  }
}

function textOf(cells: readonly CellParts[]): string {
  return cells
    .filter(({ qualifier }) => qualifier.equals(QUALIFIER))
    .map(({ timestamp, value, tags }) => `${timestamp} ${value.toString('hex')} ${tags?.toString('hex')}`)
    .join('\n')
}

async function versions(store: Store, name: string): Promise<string> {
  const asked = get(Buffer.from(name), { maxVersions: 5, withTags: true })
  const { cells } = await store.rows.get(TABLE, [asked], { bytes: 1e6 }, OWN_CALL)
  return textOf(cellsOf(cells))
}

test('a counter that changes alone becomes the same as one that changes beside another', async () => {
  const store = await openNativeStore({
    directory: '/store',
    fileSystem: new CrashableFileSystem(),
    clock: { now: () => now },
    random: Math.random,
  })
  const families = [familyDescriptor('f', [['VERSIONS', '5']])]
  await store.catalog.createTable(tableDescriptor(TABLE, families), [], OWN_CALL)
  let runs = 0
  await fc.assert(
    fc.asyncProperty(fc.array(anyChange, { maxLength: 12 }), async (changes) => {
      const [alone, beside] = [`${++runs} alone`, `${runs} beside`]
      for (const asked of changes) {
        now++
        const expected = await change(store, beside, true, asked)
        expect(await change(store, alone, false, asked)).toBe(expected)
        expect(await versions(store, alone)).toBe(await versions(store, beside))
      }
    }),
    { numRuns: 40 },
  )
  await store.close()
})
