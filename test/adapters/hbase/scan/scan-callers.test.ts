import { beforeEach, describe, expect, test } from 'vitest'
import type { HBaseScanner } from '../../../../adapters/hbase/scan/hbase-scanner.ts'
import { ReadAhead } from '../../../../adapters/hbase/scan/read-ahead.ts'
import { type Call, OWN_CALL } from '../../../../src/store/call.ts'
import { failure, resultTexts } from '../../../store/suite/store-under-test.ts'
import { caller } from '../caller.ts'
import { FakeCluster } from '../fake-cluster.ts'
import { settled } from '../retry/manual-time.ts'
import { ALL, cellsOfRows, opened, outline } from './scanned-cluster.ts'

let fake: FakeCluster

beforeEach(() => {
  fake = new FakeCluster()
  fake.layOut([], cellsOfRows({ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 }))
})

async function next(scanner: HBaseScanner, call: Call = OWN_CALL): Promise<string> {
  const { results } = await fake.passing(scanner.next(ALL, call))
  return resultTexts(results).map(outline).join(' ')
}

/** With a call under way. */
async function underWay(): Promise<void> {
  for (let i = 0; i < 3; i++) await settled()
}

function openScanners(): number {
  return fake.regions.reduce((sum, region) => sum + region.openScanners, 0)
}

describe('a caller who hangs up', () => {
  test('has the scanner of the server closed, and another may go on', async () => {
    const { call, hangUp } = caller()
    const scanner = await fake.passing(opened(fake, {}, { rowsMax: 1 }))
    expect(await next(scanner, call)).toBe('a0-0')
    expect(openScanners()).toBe(1)
    const open = fake.hold()
    const outcome = failure(scanner.next(ALL, call))
    await underWay()
    hangUp()
    expect(await outcome).toMatch(/^CALLER_GONE/)
    open()
    await underWay()
    expect(openScanners()).toBe(0)
    expect([await next(scanner), await next(scanner)]).toEqual(['b0-0', 'c0-0'])
    await scanner.close()
  })

  test('while the scanner is opened has it closed as soon as it is open', async () => {
    const { call, hangUp } = caller()
    await fake.passing(opened(fake, {}, { rowsMax: 1 })).then((scanner) => scanner.close())
    const open = fake.hold()
    const outcome = failure(opened(fake, {}, { rowsMax: 1 }, call))
    await underWay()
    hangUp()
    expect(await outcome).toMatch(/^CALLER_GONE/)
    open()
    await underWay()
    expect(fake.calls.filter((each) => each.startsWith('Scan'))).toHaveLength(4)
    expect(openScanners()).toBe(0)
  })

  test('while its region is looked for has none opened', async () => {
    const { call, hangUp } = caller()
    const open = fake.meta.hold()
    const outcome = failure(opened(fake, {}, { rowsMax: 1 }, call))
    await underWay()
    hangUp()
    open()
    expect(await outcome).toMatch(/^CALLER_GONE/)
    expect(fake.calls).toEqual([])
  })

  test('has what is fetched ahead of it dropped', async () => {
    const { call, hangUp } = caller()
    const readAhead = new ReadAhead(1)
    const scanner = await fake.passing(opened(fake, {}, { rowsMax: 1, readAhead }))
    expect(await next(scanner, call)).toBe('a0-0')
    expect(await next(scanner, call)).toBe('b0-0')
    const open = fake.hold()
    // The answer that was fetched ahead is taken, and the next one asked for.
    expect(await next(scanner, call)).toBe('c0-0')
    await underWay()
    hangUp()
    await underWay()
    expect(readAhead.begin()).toBe(true)
    readAhead.end()
    open()
    expect(await next(scanner)).toBe('d0-0')
    await scanner.close()
    await underWay()
    expect(openScanners()).toBe(0)
  })

  test('takes nothing from another who waits for what was fetched ahead', async () => {
    const first = caller()
    const second = caller()
    const scanner = await fake.passing(opened(fake, {}, { rowsMax: 1 }))
    for (const row of ['a0-0', 'b0-0']) expect(await next(scanner, first.call)).toBe(row)
    const open = fake.hold()
    expect(await next(scanner, first.call)).toBe('c0-0')
    const waiting = next(scanner, second.call)
    await underWay()
    first.hangUp()
    open()
    expect(await waiting).toBe('d0-0')
    const held = fake.hold()
    expect(await next(scanner, second.call)).toBe('e0-0')
    const outcome = failure(scanner.next(ALL, second.call))
    await underWay()
    second.hangUp()
    expect(await outcome).toMatch(/^CALLER_GONE/)
    held()
    await scanner.close()
  })
})

describe('a deadline', () => {
  test('ends the waiting for what is fetched ahead, which the next call has', async () => {
    const scanner = await fake.passing(opened(fake, {}, { rowsMax: 1 }))
    for (const row of ['a0-0', 'b0-0']) expect(await next(scanner)).toBe(row)
    const open = fake.hold()
    expect(await next(scanner)).toBe('c0-0')
    const hurried = failure(scanner.next(ALL, { ...OWN_CALL, deadline: fake.time.epochMs() + 20 }))
    await fake.time.advance(20)
    expect(await hurried).toMatch(/^TIMEOUT/)
    const asked = fake.requests.length
    open()
    expect(await next(scanner)).toBe('d0-0')
    expect(fake.requests.length - asked).toBeLessThanOrEqual(2)
    await scanner.close()
  })

  test('that has passed, or a caller who has gone, is an error before anything is returned', async () => {
    const scanner = await fake.passing(opened(fake, {}, { rowsMax: 1 }))
    expect(await failure(scanner.next(ALL, { ...OWN_CALL, deadline: fake.time.epochMs() }))).toMatch(
      /^TIMEOUT/,
    )
    expect(await failure(scanner.next(ALL, { ...OWN_CALL, signal: AbortSignal.abort() }))).toMatch(
      /^CALLER_GONE/,
    )
    expect(await next(scanner)).toBe('a0-0')
    await scanner.close()
  })
})
