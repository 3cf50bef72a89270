import { afterEach, expect, test, vi } from 'vitest'
import { BackupProgress } from '../../../src/backup/backup-progress.ts'
import { reporter, tablesText } from '../../../src/cli/backup/backup-output.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** The last line of a backup of two files, of 1 and of 3 KB. */
function lineOf(isShared: boolean): string {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const progress = new BackupProgress(
    'copied',
    { files: 2, bytes: 4096 },
    { report: reporter(false), now: () => 0 },
  )
  progress.onBytes(isShared ? 1024 : 4096)
  progress.fileDone(0)
  progress.fileDone(isShared ? 3072 : 0)
  progress.end()
  return String(write.mock.lastCall?.[0])
}

test('a backup says how much of it is new', () => {
  expect(lineOf(true)).toContain(
    'copied 2 of 2 files, 4.0 KB of 4.0 KB (1.0 KB new, 3.0 KB shared with what was there), ',
  )
  expect(lineOf(false)).toContain('copied 2 of 2 files, 4.0 KB of 4.0 KB, ')
})

test("tables of the system are counted apart from the users' own", () => {
  expect(tablesText(['t', 'n:t'])).toBe('2 tables')
  expect(tablesText(['hbase:acl', 't', 'hbase:labels'])).toBe('1 table and 2 of the system')
})
