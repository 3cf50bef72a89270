/**
 * Rows that are overwritten again and again: what reads find is what the memory store finds, which drops nothing, while the
 * engine drops versions from its memstores, and moves scanners from flushed memstores to files.
 */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import type { NativeOptions } from '../../../adapters/native/options/native-options.ts'
import { openScanner, type Scanner } from '../../../src/gateway/reads/scanner.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { familyDescriptor, type TableDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { type Scan, scan } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { testRuns } from '../../harness/test-runs.ts'
import { StoreUnderTest, TABLE } from './store-under-test.ts'

const FAMILY = Buffer.from('f')

type Step =
  | { readonly kind: 'puts'; readonly row: number; readonly qualifier: string; readonly times: number[] }
  | { readonly kind: 'deleteColumn'; readonly row: number; readonly qualifier: string; readonly time: number }
  | { readonly kind: 'deleteFamily'; readonly row: number; readonly time: number }
  | { readonly kind: 'open'; readonly scan: Partial<Scan> }
  | { readonly kind: 'read'; readonly scanner: number; readonly rows: number; readonly bytes: number }
  | { readonly kind: 'close'; readonly scanner: number }
  | { readonly kind: 'flush' }

const row = fc.integer({ min: 0, max: 2 })
const qualifier = fc.constantFrom('', 'a', 'b')
/** From the time of the last write: most writes are the newest of all. */
const time = fc.oneof(
  { weight: 4, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.integer({ min: -20, max: 0 }) },
)
const anyScan: fc.Arbitrary<Partial<Scan>> = fc.record({
  maxVersions: fc.constantFrom(1, 2, 3),
  reversed: fc.boolean(),
  batch: fc.constantFrom(-1, -1, 1, 2),
})
// A tombstone of one version brings back an older one, which a memstore may have dropped: it is not among the steps.
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('puts' as const),
      row,
      qualifier,
      times: fc.array(time, { minLength: 1, maxLength: 12 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deleteColumn' as const), row, qualifier, time }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deleteFamily' as const), row, time }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('open' as const), scan: anyScan }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('read' as const),
      scanner: fc.nat(5),
      rows: fc.integer({ min: 1, max: 3 }),
      bytes: fc.constantFrom(1, 60, 1 << 20),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const), scanner: fc.nat(5) }) },
)

const table: fc.Arbitrary<TableDescriptor> = fc
  .record({
    VERSIONS: fc.constantFrom('1', '3'),
    MIN_VERSIONS: fc.constantFrom('0', '1'),
    KEEP_DELETED_CELLS: fc.constantFrom('FALSE', 'TRUE', 'TTL'),
    IN_MEMORY_COMPACTION: fc.constantFrom('EAGER', 'ADAPTIVE'),
  })
  .map((attributes) => tableDescriptor(TABLE, [familyDescriptor('f', new Map(Object.entries(attributes)))]))

/** A store, its scanners, and what it has answered so far. */
class Side {
  readonly #store: Store
  readonly #scanners: (Scanner | undefined)[] = []
  #time = 100

  constructor(store: Store) {
    this.#store = store
  }

  async run(step: Step): Promise<string[]> {
    if (step.kind === 'open') {
      this.#scanners.push(await openScanner(this.#store, TABLE, scan(step.scan), OWN_CALL))
      return []
    }
    if (step.kind === 'flush') {
      await this.#store.upkeep.flushes?.flushTable(TABLE, OWN_CALL)
      return []
    }
    if (step.kind === 'read') return this.#read(this.#scanners[step.scanner], step.rows, step.bytes)
    if (step.kind === 'close') {
      await this.#scanners[step.scanner]?.close()
      this.#scanners[step.scanner] = undefined
      return []
    }
    await this.#write(step)
    return this.everything()
  }

  /** Each put is a batch of its own, so that the engine has published the one before. */
  async #write(step: Extract<Step, { kind: 'puts' | 'deleteColumn' | 'deleteFamily' }>): Promise<void> {
    const key = Buffer.from(`row${step.row}`)
    const times = step.kind === 'puts' ? step.times : [step.time]
    for (const offset of times) {
      const at = this.#time + offset
      this.#time = Math.max(this.#time, at)
      const batch = new MutationBatch()
      if (step.kind === 'deleteFamily') batch.deleteFamily(key, FAMILY, BigInt(at))
      else if (step.kind === 'deleteColumn')
        batch.deleteColumn(key, FAMILY, Buffer.from(step.qualifier), BigInt(at))
      else batch.put(key, FAMILY, Buffer.from(step.qualifier), Buffer.from(`v${at}`), BigInt(at))
      batch.endMutation()
      await this.#store.rows.mutate(TABLE, batch, OWN_CALL)
    }
  }

  async #read(scanner: Scanner | undefined, rows: number, bytes: number): Promise<string[]> {
    if (scanner === undefined) return []
    const { results, partial } = await scanner.next({ rows, bytes, allowPartial: true }, OWN_CALL)
    const cells = cellsOf(gathered(results).cells).map((cell) =>
      [cell.row, cell.qualifier, cell.timestamp, cell.value].map(String).join('/'),
    )
    return [...cells, results.counts.join(), String(partial)]
  }

  async everything(): Promise<string[]> {
    const scanner = await openScanner(this.#store, TABLE, scan({ maxVersions: 3 }), OWN_CALL)
    const found = await this.#read(scanner, 1000, 1 << 20)
    await scanner.close()
    return found
  }

  /** All that the open scanners still have. */
  async rest(): Promise<string[]> {
    const found: string[] = []
    for (const scanner of this.#scanners)
      for (let i = 0; i < 10; i++) found.push(...(await this.#read(scanner, 100, 1 << 20)))
    return found
  }
}

async function compare(
  table: TableDescriptor,
  steps: readonly Step[],
  peer: Store,
  options: Partial<NativeOptions>,
): Promise<void> {
  const session = await StoreUnderTest.open(options)
  const [native, expected] = [new Side(session.store), new Side(peer)]
  try {
    for (const store of [session.store, peer]) await store.catalog.createTable(table, [], OWN_CALL)
    for (const [index, step] of steps.entries())
      expect(await native.run(step), `step ${index}`).toEqual(await expected.run(step))
    expect(await native.rest()).toEqual(await expected.rest())
  } finally {
    await session.store.close()
    await peer.close()
  }
}

describe('overwritten rows', () => {
  it('read as if nothing had been dropped', async () => {
    await fc.assert(
      fc.asyncProperty(table, fc.array(step, { minLength: 10, maxLength: 30 }), async (descriptor, steps) => {
        const clock = { now: () => 1_700_000_000_000 }
        await compare(descriptor, steps, openMemoryStore({ clock }), {})
      }),
      { numRuns: testRuns(60) },
    )
  })

  it('read the same to scanners that are sent on to files as to those that keep what was flushed', async () => {
    const steps = fc.array(
      fc.oneof(
        { weight: 8, arbitrary: step },
        { weight: 2, arbitrary: fc.constant({ kind: 'flush' as const }) },
      ),
      { minLength: 10, maxLength: 30 },
    )
    await fc.assert(
      fc.asyncProperty(table, steps, async (descriptor, history) => {
        const { store } = await StoreUnderTest.open()
        await compare(descriptor, history, store, { heldSnapshotBytesMax: 0, awakeBytesMax: 0 })
      }),
      { numRuns: testRuns(60) },
    )
  })
})

describe('a version that a tombstone of its family hides', () => {
  it('leaves the older one that is read in its stead', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableDescriptor(TABLE, [familyDescriptor('f', [['VERSIONS', '1']])]))
    const write = async (make: (batch: MutationBatch) => MutationBatch): Promise<void> => {
      const batch = make(new MutationBatch())
      batch.endMutation()
      await session.store.rows.mutate(TABLE, batch, OWN_CALL)
    }
    const put = (at: bigint, value: string): Promise<void> =>
      write((batch) => batch.put(Buffer.from('r'), FAMILY, Buffer.from('q'), Buffer.from(value), at))
    await put(1n, 'read')
    await write((batch) => batch.deleteFamilyVersion(Buffer.from('r'), FAMILY, 5n))
    for (let i = 0; i < 100; i++) await put(5n, 'hidden')
    expect(await session.rows()).toEqual(['r=read'])
    await session.flush()
    expect(await session.rows()).toEqual(['r=read'])
    await session.store.close()
  })
})
