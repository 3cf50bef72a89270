import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShellOnServer, type ShellOnServer } from './shell-on-server.ts'

let shell: ShellOnServer
beforeAll(async () => {
  shell = await openShellOnServer('memory')
})
afterAll(() => shell.close())

test.each([
  ["set_quota TYPE => THROTTLE, TABLE => 't', NAMESPACE => 'n', LIMIT => '1req/sec'", 'NAMESPACE'],
  ["set_quota TYPE => THROTTLE, USER => 'u', TABLE => 't', NAMESPACE => 'n', LIMIT => NONE", 'NAMESPACE'],
  ["set_quota TYPE => THROTTLE, USER => 'u', REGIONSERVER => 'all', LIMIT => '1req/sec'", 'REGIONSERVER'],
  ["set_quota USER => 'u', TABLE => 't', GLOBAL_BYPASS => true", 'TABLE'],
  ["set_quota TYPE => SPACE, USER => 'u', TABLE => 't', LIMIT => '1G', POLICY => NO_WRITES", 'USER'],
  ["set_quota TYPE => SPACE, REGIONSERVER => 'all', NAMESPACE => 'n', LIMIT => NONE", 'REGIONSERVER'],
  [
    "set_quota TYPE => SPACE, TABLE => 't', LIMIT => '1G', POLICY => NO_WRITES, THROTTLE_TYPE => READ",
    '{"THROTTLE_TYPE"=>"READ"}',
  ],
  ["set_quota TYPE => SPACE, TABLE => 't', LIMIT => NONE, POLICY => NO_WRITES", '{"POLICY"=>"NO_WRITES"}'],
])('%s is refused before the master hears of it', async (command, surplus) => {
  const { output } = await shell.run([command])
  expect(output).toContain(`ERROR: Unexpected arguments: ${surplus}`)
})

test('GLOBAL_BYPASS is true or false', async () => {
  const { output } = await shell.run(["set_quota USER => 'u', GLOBAL_BYPASS => 'maybe'"])
  expect(output).toContain('ERROR: GLOBAL_BYPASS must be true or false')
})
