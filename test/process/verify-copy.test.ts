/** The command `tidegate copy --verify`: its answers and exit codes, as operators see them. */

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTidegate, type Tidegate } from '../../src/library/start-tidegate.ts'
import { inTemporaryFolder, MAIN } from '../harness/tidegate-process.ts'

let server: Tidegate
let address: string

beforeAll(async () => {
  server = await startTidegate({ rest: 0, rpc: 0, zookeeper: 0 })
  address = `rpc:127.0.0.1:${server.ports.rpc}`
})

afterAll(() => server.stop())

/** The exit code, and what stands on stdout and stderr, with the times taken out. */
async function ran(...args: readonly string[]): Promise<readonly [number | null, string, string]> {
  const child = spawn(process.execPath, [MAIN, ...args])
  const [out, err]: [Buffer[], Buffer[]] = [[], []]
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  child.stdin.end()
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = [out, err].map((chunks) =>
    Buffer.concat(chunks)
      .toString()
      .replaceAll(/[\d.]+ [KM]?B?(?:bytes)?\/s/g, 'N/s')
      .replaceAll(/done in [\d.]+ s/g, 'done'),
  )
  return [code, stdout!, stderr!]
}

async function shell(...commands: readonly string[]): Promise<void> {
  const [code, , stderr] = await ran(
    'shell',
    '--address',
    address,
    ...commands.flatMap((each) => ['-e', each]),
  )
  expect([code, stderr]).toEqual([0, ''])
}

test('equal tables, differing ones, and tables that are not compared', { timeout: 120_000 }, () =>
  inTemporaryFolder(async (folder) => {
    await shell(
      "create 't', {NAME => 'f', VERSIONS => 3}",
      "create 'u', 'f'",
      "put 't', 'a b', 'f:q', 'one', 5",
      "put 't', \"\\xff\\x00\", 'f:\\x5C', 'two', 9223372036854775806",
      "put 't', 'x', 'f:q', 'three', 7",
    )
    const data = `native:${join(folder, 'data')}`
    expect((await ran('copy', address, data, '--all', '--create'))[0]).toBe(0)
    const verify = ['copy', '--verify', '--settle-ms', '0', address]
    expect(await ran(...verify, data, '--all')).toEqual([
      0,
      't: 3 rows, 196 bytes, N/s, done, equal\nu: 0 rows, 0 bytes, N/s, done, equal\n',
      '',
    ])
    await shell(
      "put 't', 'a b', 'f:q', 'another', 5",
      "put 't', 'a b', 'f:q', 'new', 6",
      "deleteall 't', 'x', 'f:q'",
      "put 't', \"\\xff\\x00\", 'f:new', 'v', 8",
    )
    const [code, lines, rest] = await ran(...verify, data, '--table', 't')
    expect([code, lines.replace(/[\d.]+ KB/, 'N bytes').split('\n')]).toEqual([
      1,
      [
        't: row a b, f:q at 6: missing at the destination',
        't: row a b, f:q at 5: another value at the destination',
        't: row x, f:q at 7: only at the destination',
        't: row \\xFF\\x00, f:new at 8: missing at the destination',
        't: 3 rows, N bytes, N/s, done, 3 rows differ: 2 cells missing, 1 cell only at the destination, 1 cell with another value',
        '',
      ],
    ])
    expect(rest).toBe('')
    const [, json, more] = await ran(...verify, data, '--table', 't', '--json', '--differences-max', '2')
    const [first, , sum] = json.trimEnd().split('\n')
    expect(first).toBe(
      '{"table":"t","row":"a b","column":"f:q","timestamp":6,"type":"Put","difference":"missing"}',
    )
    expect(JSON.parse(sum!)).toMatchObject({
      rowsDiffering: 3,
      differences: { missing: 2, extra: 1, value: 1, tags: 0 },
      isDone: true,
    })
    expect(more).toBe('2 differing cells more: --differences-max prints them\n')
  }),
)

test('with --raw the markers of deletes count, and REST cannot be asked so', { timeout: 120_000 }, () =>
  inTemporaryFolder(async (folder) => {
    await shell("create 'm', 'f'", "put 'm', 'r', 'f:q', 'v', 5", "put 'm', 's', 'f:q', 'v', 5")
    const data = `native:${join(folder, 'data')}`
    expect((await ran('copy', address, data, '--table', 'm', '--create'))[0]).toBe(0)
    await shell("delete 'm', 'none', 'f:q', 9")
    const verify = ['copy', '--verify', '--settle-ms', '0', '--table', 'm']
    expect((await ran(...verify, address, data))[0]).toBe(0)
    expect((await ran(...verify, '--raw', address, data))[1]).toContain(
      'm: row none, f:q at 9, Delete: missing at the destination\n',
    )
    const rest = `rest:127.0.0.1:${server.ports.rest}`
    const overRest = await ran(...verify, rest, data)
    expect([overRest[0], overRest[2]]).toEqual([
      0,
      'warning: m: tags of cells (a TTL, labels or permissions of their own) are not compared: one of both does not show them\n',
    ])
    expect((await ran(...verify, '--raw', rest, data)).slice(0, 3)).toEqual([
      2,
      '',
      'tidegate: REST shows no markers of deletes: compare without --raw and --changed-since\n',
    ])
  }),
)

test(
  'tables that one side lacks are named, and flags that do not fit are refused',
  { timeout: 120_000 },
  () =>
    inTemporaryFolder(async (folder) => {
      const data = `native:${join(folder, 'data')}`
      await shell("create 'here', 'f'", "create 'both', 'f'")
      expect((await ran('copy', address, data, '--table', 'both', '--create'))[0]).toBe(0)
      expect((await ran('copy', address, data, '--table', 'both=there', '--create'))[0]).toBe(0)
      const [code, , stderr] = await ran('copy', '--verify', address, data, '--all')
      expect(code).toBe(2)
      expect(stderr).toContain('warning: there is not compared: the source has no table there\n')
      expect(stderr).toContain('warning: here is not compared: the destination has no table here\n')
      expect(stderr).toMatch(/tidegate: \d+ tables are not compared, or not whole: there, .*here/)
      for (const [flags, message] of [
        [['--verify', '--create'], '--verify changes nothing: leave out --create'],
        [['--verify', '--resume', 'f'], '--verify keeps no state: leave out --resume'],
        [
          ['--verify', '--changed-since', '5', '--raw'],
          '--changed-since compares what readers see, of all times: leave out --raw and times',
        ],
        [['--raw'], '--raw is an option of --verify'],
        [['--settle-ms', '5'], '--settle-ms is an option of --verify'],
      ] as const)
        expect((await ran('copy', address, data, '--table', 'both', ...flags)).slice(0, 3)).toEqual([
          2,
          '',
          `tidegate: ${message}\n`,
        ])
    }),
)
