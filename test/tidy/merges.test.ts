import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Both, since a line of seven equals signs alone may be a heading. */
const MARKS = '^(<<<<<<<|>>>>>>>)( |$)'

test('no file has the marks of a merge that was left half done', () => {
  const found = spawnSync('git', ['grep', '-nIE', '--untracked', MARKS, '--', '.'], { encoding: 'utf8' })
  // It ends with 1 where it finds nothing.
  expect(found.stdout).toBe('')
  expect(found.status).toBe(1)
})
