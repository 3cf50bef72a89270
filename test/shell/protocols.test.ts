/** One script over native RPC, REST and Thrift: what they share prints the same, and the rest is refused by name. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_HBASE_OPTIONS } from '../../adapters/hbase/config/hbase-options.ts'
import { openHBaseClient } from '../../adapters/hbase/open-hbase-store.ts'
import { NODE_TIME } from '../../adapters/hbase/retry/time.ts'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import type { ServerCalls } from '../../src/shell/context/server-calls.ts'
import { openShell } from '../../src/shell/open-session.ts'
import { pipedLines, runLines } from '../../src/shell/run-lines.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import {
  type DoorsOverStore,
  openDoorsOver,
  restStoreOn,
  thriftStoreOn,
} from '../harness/doors-over-store.ts'

let behind: Store
let doors: DoorsOverStore

beforeAll(async () => {
  let time = 1_700_000_000_000
  behind = openMemoryStore({ clock: { now: () => time++ } })
  doors = await openDoorsOver(behind)
})

afterAll(async () => {
  await doors.close()
  await behind.close()
})

interface Client {
  readonly store: Store
  readonly direct: ServerCalls | undefined
}

const OPENED = {
  rpc: (): Client =>
    openHBaseClient({
      cluster: {
        registry: 'bootstrap',
        servers: [{ host: '127.0.0.1', port: doors.ports.rpc }],
        znodeParent: '/hbase',
      },
      options: DEFAULT_HBASE_OPTIONS,
      user: 'tester',
      time: NODE_TIME,
      random: Math.random,
      log: () => undefined,
    }),
  REST: (): Client => ({ store: restStoreOn(doors.ports.rest), direct: undefined }),
  Thrift: (): Client => ({ store: thriftStoreOn(doors.ports.thrift), direct: undefined }),
  'framed Thrift': (): Client => ({ store: thriftStoreOn(doors.ports.thrift, 'framed'), direct: undefined }),
  'Thrift over HTTP': (): Client => ({ store: thriftStoreOn(doors.ports.thrift, 'http'), direct: undefined }),
} as const
type Protocol = keyof typeof OPENED

/** Each run makes the same tables. */
async function empty({ catalog }: Store): Promise<void> {
  for (const { name } of await catalog.listTables(OWN_CALL)) {
    await catalog.disableTable(name, OWN_CALL)
    await catalog.deleteTable(name, OWN_CALL)
  }
  for (const { name } of await catalog.listNamespaces(OWN_CALL))
    if (!['default', 'hbase'].includes(name)) await catalog.deleteNamespace(name, OWN_CALL)
}

/** The output of the shell for the lines, without their prompts. */
async function run(protocol: Protocol, lines: readonly string[]): Promise<string> {
  const { store, direct } = OPENED[protocol]()
  const printed: string[] = []
  const { session } = openShell({
    store,
    servers: direct,
    output: { width: 0, write: (text) => void printed.push(text) },
    user: 'tester',
    version: 'the version',
    isForgiving: true,
    now: () => 0,
    sleep: () => Promise.resolve(),
    ask: async () => 'y',
  })
  try {
    await runLines(session, pipedLines(given(lines), undefined), (text) => void printed.push(text))
  } finally {
    await store.close()
  }
  return printed.join('')
}

async function* given(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

const SHARED: readonly string[] = [
  "create 'TABLE', {NAME => 'f', VERSIONS => 3}, 'g'",
  "describe 'TABLE'",
  "exists 'TABLE'",
  "is_enabled 'TABLE'",
  'put \'TABLE\', "a,b/*\\x00\\xff", "f:\\xfe,/", "\\x00\\xff", 7',
  'put \'TABLE\', "a,b/*\\x00\\xff", "f:\\xfe,/", "newer", 9223372036854775806',
  "put 'TABLE', 'schema', 'f:', 'one', 5",
  "put 'TABLE', 'r2', 'g:n', 'two', 1579141440000000",
  "put 'TABLE', 'r1', 'f:a', '1', 1",
  "put 'TABLE', 'r1', 'f:a', '2', 2",
  "put 'TABLE', 'r1', 'f:a', '3', 3",
  "put 'TABLE', 'r1', 'f:b', 'b', 3",
  "scan 'TABLE'",
  "scan 'TABLE', {VERSIONS => 3, STARTROW => 'r1', STOPROW => 's'}",
  "scan 'TABLE', {COLUMNS => ['f:a', 'g'], LIMIT => 1}",
  "scan 'TABLE', {TIMERANGE => [2, 6]}",
  "scan 'TABLE', {FILTER => \"PrefixFilter('r') AND ValueFilter(=, 'binary:2')\", VERSIONS => 3}",
  "scan 'TABLE', {FILTER => 'KeyOnlyFilter()', BATCH => 1}",
  "get 'TABLE', 'r1'",
  "get 'TABLE', 'r1', {COLUMN => 'f:a', VERSIONS => 3}",
  "get 'TABLE', 'r1', {COLUMN => 'f:a', TIMESTAMP => 2}",
  'get \'TABLE\', "a,b/*\\x00\\xff"',
  "get 'TABLE', 'schema'",
  "get 'TABLE', 'no such row'",
  "get 'TABLE', 'r1', 'zz'",
  "scan 'TABLE', {COLUMNS => 'zz'}",
  "count 'TABLE'",
  "count 'TABLE', INTERVAL => 2",
  "delete 'TABLE', 'r1', 'f:a', 2",
  "get 'TABLE', 'r1', {COLUMN => 'f:a', VERSIONS => 3}",
  'delete \'TABLE\', "a,b/*\\x00\\xff", "f:\\xfe,/"',
  "deleteall 'TABLE', 'schema'",
  "deleteall 'TABLE', 'r2', 'g:n', 1579141440000000",
  "scan 'TABLE', {VERSIONS => 3}",
  "incr 'TABLE', 'c', 'g:n', 9223372036854775806",
  "incr 'TABLE', 'c', 'g:n'",
  "get_counter 'TABLE', 'c', 'g:n'",
  "append 'TABLE', 'r1', 'f:b', '+more'",
  "put 'TABLE', 'r1', 'zz:a', 'v'",
  "put 'none', 'r1', 'f:a', 'v'",
  "get 'none', 'r1'",
  "scan 'none'",
  "create 'TABLE', 'f'",
  "alter 'TABLE', {NAME => 'h', VERSIONS => 2}",
  "describe 'TABLE'",
  "create_namespace 'NS', {'k' => 'v'}",
  "describe_namespace 'NS'",
  "create 'NS:t', 'f'",
  "list 'NS:.*'",
  "list_namespace_tables 'NS'",
  "list_namespace 'NS'",
  "get_splits 'TABLE'",
]

/** The names of a protocol are its own; those of the rest of the output are made equal. */
async function runShared(protocol: Protocol): Promise<string> {
  const own = protocol.replaceAll(' ', '').toLowerCase()
  const printed = await run(
    protocol,
    SHARED.map((line) => line.replaceAll('TABLE', `${own}_t`).replaceAll('NS', `${own}_n`)),
  )
  return printed
    .replaceAll(own, 'OWN')
    .replace(/timestamp=20(?!20-01-16)[\d:.T-]+/g, 'timestamp=NOW')
    .replace(/does not exist in (?:region|table) .*/g, 'does not exist')
    .replace(/^ERROR: .*?(Column family \S+ does not exist)/gm, 'ERROR: $1')
}

describe.each(['REST', 'Thrift', 'framed Thrift', 'Thrift over HTTP'] as const)('over %s', (protocol) => {
  test('a script prints what it prints over native RPC', { timeout: 60_000 }, async () => {
    const [wanted, found] = [await runShared('rpc'), await runShared(protocol)]
    // A failure of the whole comparison would hide that nothing was printed.
    expect(wanted.split('\n').length).toBeGreaterThan(150)
    const [alter, describe] = [/^.*regions updated\.\n/gm, /^Done\.\n/gm]
    expect(found.replace(alter, '').replace(describe, '')).toBe(
      wanted.replace(alter, '').replace(describe, ''),
    )
    await empty(behind)
  })
})

const RPC_IS_NAMED = "name the server's native RPC, rpc:HOST:PORT"

test('commands that REST cannot express are refused by their names, and drop needs no disable', async () => {
  const lines = [
    "create 'w', 'f'",
    "flush 'w'",
    "disable 'w'",
    "snapshot 'w', 's'",
    "status 'replication'",
    "truncate 'w'",
    'list_labels',
    "set_auths 'u', 'l'",
  ]
  const refused = ['flush', 'disable', 'snapshot', 'status', 'list_labels', 'set_auths']
  const printed = await run('REST', lines)
  for (const command of refused)
    expect(printed).toContain(`ERROR: \`${command}\` is not a thing REST can ask for: ${RPC_IS_NAMED}\n`)
  expect(await run('REST', ["scan 'w', {REVERSED => true}"])).toContain(
    `ERROR: a scan from the last row to the first (REVERSED) is not a thing REST can ask for: ${RPC_IS_NAMED}\n`,
  )
  expect(await run('REST', ["create 'x', 'f', SPLITS => ['m']"])).toContain(
    'ERROR: a new table of several regions is not',
  )
  expect(await run('REST', ["drop 'w'", "exists 'w'"])).toContain('Table w does not exist')
})

test('REST lists the servers of the cluster and their regions, and no masters', async () => {
  const made = await run('REST', ["create 'of_status', 'f', 'g'", 'status'])
  expect(made).toMatch(/^1 servers, 0 dead, \d+\.0000 average load\n/m)
  const simple = await run('REST', ["status 'simple'"])
  const figures =
    'usedHeapMB=\\d+, maxHeapMB=\\d+, numberOfStores=\\d+, .*storefileIndexSizeKB=.*compactionProgressPct=NaN'
  expect(simple).toMatch(
    new RegExp(
      `1 live servers\n    \\S+:\\d+ \\d+\n        numberOfOnlineRegions=(\\d+), ${figures}\n0 dead servers\nregions: \\1\n`,
    ),
  )
  const detailed = await run('REST', ["status 'detailed'"])
  expect(detailed).toMatch(/^version \d+\.\d+\.\d+\n1 live servers\n/m)
  expect(detailed).toMatch(/^ {8}"of_status,,\d+\.[0-9a-f]{32}\."\n {12}numberOfStores=2, /m)
  const servers = await run('REST', ['list_liveservers', 'list_deadservers'])
  expect(servers).toMatch(/^\S+,\d+,\d+\n1 row/m)
  expect(servers).toMatch(/^0 row/m)
  await run('REST', ["drop 'of_status'"])
})

test('Thrift has tables in several regions, scans downwards, raw scans, and truncates', async () => {
  const printed = await run('Thrift', [
    "create 'v', {NAME => 'f', VERSIONS => 3}, SPLITS => ['m']",
    "get_splits 'v'",
    "put 'v', 'a', 'f:q', 'v1', 1",
    "put 'v', 'ab', 'f:q', 'v2', 2",
    "put 'v', 'n', 'f:q', 'v3', 3",
    "delete 'v', 'a', 'f:q', 1",
    "scan 'v', {RAW => true, VERSIONS => 3}",
    "scan 'v', {REVERSED => true, STARTROW => 'n', STOPROW => 'ab'}",
    "flush 'v'",
    "add_labels 'l'",
    "truncate_preserve 'v'",
    "count 'v'",
    "disable 'v'",
    "scan 'v'",
    "drop 'v'",
  ])
  expect(printed).toContain('Total number of splits = 2\nm\n')
  expect(printed).toContain('type=Delete\n')
  expect(printed).toMatch(/ n column=f:q, timestamp=\S+, value=v3\n1 row/)
  for (const command of ['flush', 'add_labels'])
    expect(printed).toContain(`ERROR: \`${command}\` is not a thing Thrift can ask for: ${RPC_IS_NAMED}`)
  expect(printed).toContain('Truncating')
  expect(printed).toContain('=> 0')
  expect(printed).toContain('ERROR: Table v is disabled!')
})
