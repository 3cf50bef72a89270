import { afterEach, expect, test, vi } from 'vitest'
import { BackupProgress } from '../../../src/backup/backup-progress.ts'
import { filesStep, reporter, tablesText } from '../../../src/cli/backup/backup-output.ts'
import { ProgressDisplay } from '../../../src/cli/terminal/progress-display.ts'

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
  progress.fileDone(1024)
  progress.fileDone(3072, isShared ? 3072 : 0)
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

test('Ctrl-C names whole files and their bytes: the next run copies the part of another file again', () => {
  const written: string[] = []
  const parts = { write: (text: string) => void written.push(text), columns: () => 80, now: () => 0 }
  const display = new ProgressDisplay('log', parts)
  display.begin({ command: 'backup create', style: 'log', advice: () => 'These stay' })
  const progress = new BackupProgress(
    'copied',
    { files: 3, bytes: 8192 },
    {
      report: () => undefined,
      begins: (verb, present) => display.watch(() => filesStep(verb, present())),
      now: () => 0,
    },
  )
  progress.onBytes(1024)
  progress.fileDone(1024)
  progress.fileDone(2048, 2048)
  progress.onBytes(4096)
  display.interrupted()
  expect(written).toEqual([
    'tidegate: backup create was interrupted: copied: 2 of 3 files, 3.0 KB of 8.0 KB. These stay\n',
  ])
})
