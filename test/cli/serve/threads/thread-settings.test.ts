import { assert, expect, test } from 'vitest'
import { nativeMemory, requestsMemoryOfThread } from '../../../../src/cli/machine/memory-shares.ts'
import { autoThreads } from '../../../../src/cli/serve/threads/auto-threads.ts'
import {
  limitsOfThread,
  portsOfThreads,
  statedThreads,
} from '../../../../src/cli/serve/threads/thread-settings.ts'
import { parsedSettings } from '../../parsed-settings.ts'

const MIB = 1024 * 1024

test('threads have equal parts of the limits of clients, and the main one counts connections', () => {
  const flags = ['--connections-max', '10', '--scanners-max', '11', '--client-scanners-max', '4']
  const { limits, threads } = parsedSettings('--store', 'memory', '--threads', '3', ...flags)
  assert(threads === 3)
  const each = [0, 1, 2, 3].map((number) => limitsOfThread(limits, threads, number))
  expect(each.map(({ connectionsMax }) => connectionsMax)).toEqual([10, Infinity, Infinity, Infinity])
  expect(each.map(({ scannersMax }) => scannersMax)).toEqual([3, 3, 3, 2])
  expect(each.map(({ clientScannersMax }) => clientScannersMax)).toEqual([1, 1, 1, 1])
  expect(each[2]!.batchMax).toBe(limits.batchMax)
  expect(() => limitsOfThread(limits, 4, 0)).toThrow('--client-scanners-max 4 is too little for --threads 4')
})

test('threads have equal parts of the memory for requests, less their own', () => {
  const all = requestsMemoryOfThread(1024 * MIB, undefined, 0)
  expect(requestsMemoryOfThread(1024 * MIB, undefined, 3)).toBe((all - 3 * 60 * MIB) / 4)
})

test.each([undefined, {}, { memstoreBytesMax: 32 * MIB }])(
  'with too little memory the error says how much is enough',
  (stated) => {
    const partOf = (mib: number): number =>
      requestsMemoryOfThread(mib * MIB, stated && nativeMemory(mib * MIB, stated), 3)
    const text = String(thrownBy(() => partOf(260)))
    expect(text).toContain('--memory-max 260m is too little for --threads 3')
    const least = Number(/Raise it to (\d+)m/.exec(text)![1])
    expect(partOf(least)).toBeGreaterThanOrEqual(16 * MIB)
    expect(() => partOf(least - 1)).toThrow(`Raise it to ${least}m`)
  },
)

function thrownBy(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

test('a Node that cannot move connections has no threads, and logs one warning', () => {
  const lines: string[] = []
  const warn = ((line: string): void => void lines.push(line)) as never
  expect(statedThreads(2, { warn }, true)).toBe(2)
  expect(statedThreads(0, { warn }, false)).toBe(0)
  expect(lines).toEqual([])
  expect(statedThreads(2, { warn }, false)).toBe(0)
  expect(lines).toEqual([
    `--threads 2 needs Node 24.20 or a newer 24, or 26.7 or newer, and this is ${process.versions.node}: one thread serves all connections`,
  ])
})

/** Of `--threads auto` on a machine with so many cores. */
function autoCount(cores: number, flags: readonly string[] = [], canMove = true): number {
  const settings = parsedSettings('--threads', 'auto', '--memory-max', '8g', ...flags)
  const { store, memoryBytesMax } = settings
  const ofStore = store.kind === 'native' ? nativeMemory(memoryBytesMax, store.options ?? {}) : undefined
  return autoThreads(settings, ofStore, { canMove, cores })
}

test('auto leaves cores to the main thread and to those that write files', () => {
  expect([0.5, 1, 2, 2.9, 3, 4, 8, 18, 64].map((cores) => autoCount(cores))).toEqual([
    0, 0, 0, 0, 1, 2, 6, 16, 16,
  ])
})

test.each([
  ['no thread would read rows itself: another store', ['--store', 'memory'], 0],
  ['the main thread sees all reads', ['-D', 'hbase.quota.enabled=true'], 0],
  ['no more than otherwise: the slow log', ['--slow-log-ms', '10'], 6],
  ['no more than otherwise: rights', ['--authorization', '--superuser', 'admin', '--insecure'], 6],
  ['the least limit of scanners', ['--client-scanners-max', '4'], 3],
  ['the memory for requests', ['--memory-max', '1g'], 1],
])('auto has fewer threads by %s', (_, flags, count) => {
  expect(autoCount(8, flags)).toBe(count)
})

test('auto has no threads where Node cannot move connections', () => {
  expect(autoCount(8, [], false)).toBe(0)
})

test('threads serve REST, Thrift and native RPC where these are open', () => {
  const open = new Map(['rest', 'rpc', 'master', 'web'].map((door, i) => [door, { port: i + 1 }]))
  const off = { thrift: 'off', master: 'off', zookeeper: 'off', web: 'off', timeline: 'off' }
  expect(portsOfThreads(open)).toEqual({ ...off, rest: 1, rpc: 2 })
})

test.each([
  [['--store', 'hbase:127.0.0.1:1', '--processes', '2'], '--threads 2 and --processes 2 do not go together'],
  [['--store', 'memory', '--test-mode'], '--threads 2 and --test-mode do not go together'],
  [['--store', 'memory', '--threads', '65'], 'whole number from 0 to 64'],
])('%j is refused', (flags, reason) => {
  const threads = flags.includes('--threads') ? [] : ['--threads', '2']
  expect(() => parsedSettings(...flags, ...threads)).toThrow(reason)
})
