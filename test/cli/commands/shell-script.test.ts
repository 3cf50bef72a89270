/** `tidegate shell SCRIPT`, built: a script that cannot be read is told by its name, before any server is asked. */

import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { MAIN } from '../../harness/tidegate-process.ts'

test.each([
  [`${tmpdir()}/no-such-script.rb`, /no such file/],
  [tmpdir(), /it is a folder/],
])('%s', (script, reason) => {
  const { status, stderr } = spawnSync(process.execPath, [
    MAIN,
    'shell',
    '--address',
    'rpc:127.0.0.1:1',
    script,
  ])
  expect(stderr.toString()).toContain(`the script ${script}: `)
  expect(stderr.toString()).toMatch(reason)
  expect(status).toBe(2)
})

test('a server that does not answer is named at once, and once', () => {
  const args = ['shell', '--address', 'zookeeper:127.0.0.1:1', '-n', '-e', 'list']
  const { stderr } = spawnSync(process.execPath, [MAIN, ...args])
  expect(stderr.toString()).toBe(
    'no answer yet, trying again: ZooKeeper at 127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1\n',
  )
})
