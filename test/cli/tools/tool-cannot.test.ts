import { userInfo } from 'node:os'
import { afterEach, expect, test, vi } from 'vitest'
import { runTool } from '../../../src/cli/terminal/tool-run.ts'

afterEach(() => {
  process.exitCode = undefined
  vi.restoreAllMocks()
})

test('a path that this user has no right to is named, with what to do', async () => {
  const written: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0)
  const error = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', path: '/data/wal' })
  await runTool(() => Promise.reject(error))
  expect(process.exitCode).toBe(2)
  expect(written.join('')).toBe(
    `tidegate: /data/wal: this user (${userInfo().username}) may not read or write it: ` +
      "run the command as the server's user, or give this user the right\n",
  )
})
