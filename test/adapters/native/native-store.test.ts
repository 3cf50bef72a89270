import { describe, expect, it } from 'vitest'
import type { NativeOptions } from '../../../adapters/native/native-options.ts'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { get, scan } from '../../../src/model/query.ts'
import type { Results } from '../../../src/model/results.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import type { Store } from '../../../src/store.ts'
import { CrashableFileSystem } from './crashable-file-system.ts'

const TABLE = parseTableName('t')
const F = Buffer.from('f')
const Q = Buffer.from('q')
const LIMITS = { rows: 1000, bytes: 1 << 20, allowPartial: false }

class TestClock {
  time = 1_000_000
  now(): number {
    return this.time++
  }
}

function open(
  fileSystem: CrashableFileSystem,
  options: Partial<NativeOptions> = {},
  clock = new TestClock(),
): Promise<Store> {
  return openNativeStore({ directory: '/store', fileSystem, clock, random: () => 0.5, options })
}

function texts({ cells }: Results): string[] {
  return cellsOf(cells).map(
    ({ row, qualifier, value }) => `${row.toString()}/${qualifier.toString()}=${value.toString()}`,
  )
}

async function scanAll(store: Store, options: Parameters<typeof scan>[0] = {}): Promise<string[]> {
  const scanner = await store.openScanner(TABLE, scan(options))
  const found: string[] = []
  for (;;) {
    const batch = await scanner.next(LIMITS)
    found.push(...texts(batch.results))
    if (!batch.more) break
  }
  await scanner.close()
  return found
}

async function put(store: Store, ...rows: string[]): Promise<void> {
  const batch = new MutationBatch()
  for (const row of rows) batch.put(Buffer.from(row), F, Q, Buffer.from(`v-${row}`)).endMutation()
  expect(await store.mutate(TABLE, batch)).toEqual([])
}

describe('the native store', () => {
  it('gives back what was put, after a kill, after a flush and after a close', async () => {
    const fileSystem = new CrashableFileSystem()
    const first = await open(fileSystem)
    await first.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [])
    await put(first, 'b', 'a')
    expect(texts(await first.get(TABLE, [get(Buffer.from('a')), get(Buffer.from('x'))]))).toEqual(['a/q=v-a'])
    const killed = fileSystem.killed()
    const second = await open(killed)
    expect(await scanAll(second)).toEqual(['a/q=v-a', 'b/q=v-b'])
    await put(second, 'c')
    await second.flushTable(TABLE)
    expect(await scanAll(second)).toEqual(['a/q=v-a', 'b/q=v-b', 'c/q=v-c'])
    await put(second, 'd')
    const third = await open(killed.killed())
    expect(await scanAll(third)).toEqual(['a/q=v-a', 'b/q=v-b', 'c/q=v-c', 'd/q=v-d'])
    expect(await scanAll(third, { reversed: true })).toEqual(['d/q=v-d', 'c/q=v-c', 'b/q=v-b', 'a/q=v-a'])
    await third.close()
  })
})
