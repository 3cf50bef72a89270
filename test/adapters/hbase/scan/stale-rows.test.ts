/** Scans that copies of the regions may answer. */

import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import type { HBaseStore } from '../../../../adapters/hbase/hbase-store.ts'
import { type Scan, scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { testRuns } from '../../../harness/test-runs.ts'
import { failure, resultTexts } from '../../../store/suite/store-under-test.ts'
import { SERVER_A, SERVER_B } from '../cluster/fake-meta.ts'
import { type FakeCluster, TABLE } from '../fake-cluster.ts'
import type { FakeRegion } from '../fake-region.ts'
import { remote } from '../remote.ts'
import { settled } from '../retry/manual-time.ts'
import { start } from '../store-on-fake-cluster.ts'
import { cellsOfRows, outline } from './scanned-cluster.ts'

const FIRST = cellsOfRows({ a: 2, b: 1, c: 4, d: 1 })
const SECOND = cellsOfRows({ n: 1, o: 3 })
const ROWS = ['a0-1', 'b0-0', 'c0-3', 'd0-0', 'n0-0', 'o0-2']

let fake: FakeCluster
let store: HBaseStore
let copies: FakeRegion[]

/** The region up to m is on a and the other one on b; the copy of each is on the other's server and has the same cells. */
beforeEach(layOut)

function layOut(): void {
  ;({ fake, store } = start())
  fake.layOut(['m'], [...FIRST, ...SECOND])
  copies = [fake.addCopy(0, SERVER_B, FIRST), fake.addCopy(1, SERVER_A, SECOND)]
}

interface Asked extends Partial<Scan> {
  /** Results of one step. */
  readonly rows?: number
  /** Called before each step. */
  readonly before?: (step: number) => void
}

/** The results, with a star behind those of a copy. */
async function scanned({ rows = 1, before, ...options }: Asked = {}): Promise<string[]> {
  before?.(0)
  const query = scan({ mayBeStale: true, ...options })
  const { id } = await fake.passing(store.rows.openScanner(TABLE, query, OWN_CALL))
  const texts: string[] = []
  for (let step = 1; ; step++) {
    before?.(step)
    const limits = { rows, bytes: 1_000_000, allowPartial: false }
    const { results, ended } = await fake.passing(store.handouts.next(id, limits, OWN_CALL))
    const found = resultTexts(gathered(results)).map(outline)
    texts.push(...found.map((text, index) => (results.stale?.[index] === true ? `${text}*` : text)))
    if (ended === 'scan') return texts
  }
}

function openScanners(): number {
  return [...fake.regions, ...copies].reduce((sum, region) => sum + region.openScanners, 0)
}

describe('a scan that may be stale', () => {
  test('is of the regions, where they answer in time', async () => {
    expect(await scanned()).toEqual(ROWS)
    expect(fake.calls.length).toBeGreaterThan(0)
    expect(copies.map(({ openScanners: open }) => open)).toEqual([0, 0])
  })

  test('is of the copy, where the region is silent for a second, and of the next region itself', async () => {
    fake.silentHosts.add('a')
    const before = fake.time.now()
    expect(await scanned()).toEqual(['a0-1*', 'b0-0*', 'c0-3*', 'd0-0*', 'n0-0', 'o0-2'])
    expect(fake.time.now() - before).toBe(1_000)
    expect(openScanners()).toBe(0)
  })

  test('waits for the configured time before it goes to a copy', async () => {
    ;({ fake, store } = start({ primaryScanMicros: 50_000 }))
    fake.layOut([], FIRST)
    copies = [fake.addCopy(0, SERVER_B, FIRST)]
    fake.silentHosts.add('a')
    const before = fake.time.now()
    expect(await scanned()).toEqual(ROWS.slice(0, 4).map((text) => `${text}*`))
    expect(fake.time.now() - before).toBe(50)
  })

  test('asks the copies where the region fails for good, and fails as the region does where they fail too', async () => {
    fake.before = () => {
      if (fake.calls.at(-1) === 'Scan a') throw remote('DoNotRetryIOException', 'the region')
    }
    expect((await scanned())[0]).toBe('a0-1*')
    fake.before = () => {
      throw remote('DoNotRetryIOException', fake.calls.at(-1))
    }
    expect(await failure(scanned())).toMatch(/^DO_NOT_RETRY.*Scan a/)
  })

  test('goes on behind the last row, once a region falls silent', async () => {
    fake.cellsOfAnswer = () => 3
    const before = (step: number): void => {
      if (step === 2) fake.silentHosts.add('a')
    }
    const found = await scanned({ before })
    expect(found.map((text) => text.replace('*', ''))).toEqual(ROWS)
    expect(found[0]).toBe('a0-1')
    expect(found[2]).toBe('c0-3*')
  })

  test('goes on within a row behind the last cell, once a region falls silent', async () => {
    fake.cellsOfAnswer = () => 1
    const before = (step: number): void => {
      if (step === 3) fake.silentHosts.add('a')
    }
    const found = await scanned({ batch: 1, startRow: Buffer.from('b'), stopRow: Buffer.from('d'), before })
    expect(found.map((text) => text.replace('*', ''))).toEqual(['b0-0', 'c0-0', 'c1-1', 'c2-2', 'c3-3'])
    expect(found.at(-1)).toBe('c3-3*')
  })

  test('begins with the copy that it names, in each region', async () => {
    expect(await scanned({ replica: 1 })).toEqual(ROWS.map((text) => `${text}*`))
    fake.silentHosts.add('b')
    expect(await scanned({ replica: 1 })).toEqual(['a0-1', 'b0-0', 'c0-3', 'd0-0', 'n0-0*', 'o0-2*'])
  })

  test('leaves nothing behind where it is closed while it waits for a copy', async () => {
    fake.silentHosts.add('a')
    fake.silentHosts.add('b')
    const controller = new AbortController()
    const call = { ...OWN_CALL, signal: controller.signal }
    const opening = store.rows.openScanner(TABLE, scan({ mayBeStale: true }), call)
    await settled()
    await fake.time.advance(1_500)
    controller.abort()
    expect(await failure(opening)).toMatch(/^CALLER_GONE/)
    expect(openScanners()).toBe(0)
  })

  test('has each cell once and in order, whichever server falls silent and when', async () => {
    const step = fc.constantFrom('', 'a', 'b')
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 12 }),
      fc.record({
        reversed: fc.boolean(),
        batch: fc.constantFrom(-1, 1, 2),
        limit: fc.constantFrom(-1, 2, 5),
      }),
      fc.integer({ min: 1, max: 3 }),
      async (silences, options, cells) => {
        layOut()
        fake.cellsOfAnswer = () => cells
        const wanted = await scanned(options)
        layOut()
        fake.cellsOfAnswer = () => cells
        const before = (at: number): void => {
          fake.silentHosts.clear()
          const host = silences[at % silences.length]!
          if (host !== '') fake.silentHosts.add(host)
        }
        const found = await scanned({ ...options, before })
        expect(found.map((text) => text.replace('*', ''))).toEqual(
          wanted.map((text) => text.replace('*', '')),
        )
      },
    )
    await fc.assert(property, { numRuns: testRuns(30) })
  })
})
