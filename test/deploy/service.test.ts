/** The unit of systemd and the manual page. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MAN_PAGE, manPage } from '../harness/man-page.ts'

const UNIT = 'deploy/systemd/tidegate.service'
const hasProgram = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0

/** Runs a checker: its exit code, and all that it has printed. */
function checked(program: string, ...args: readonly string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}

test.runIf(hasProgram('systemd-analyze'))('systemd finds no fault in the unit, and little exposure', () => {
  expect(checked('systemd-analyze', 'verify', '--man=no', UNIT)).toEqual({ status: 0, output: '' })
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-unit-'))
  try {
    // A canary: the checker names a setting that there is not.
    const wrong = join(folder, 'wrong.service')
    writeFileSync(wrong, readFileSync(UNIT, 'utf8').replace('WatchdogSec=', 'WatchdogSecs='))
    expect(checked('systemd-analyze', 'verify', '--man=no', wrong).output).toContain('WatchdogSecs')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

/** The lines of settings and of sections. */
function lines(text: string): string[] {
  return text.split('\n').filter((line) => /^[A-Z]\w+=|^\[/.test(line))
}

test('the page of one machine shows the unit as it is', () => {
  const page = readFileSync('docs/one-machine.md', 'utf8')
  const shown = /```ini\n(# The unit[\s\S]*?)```/.exec(page)![1]!
  const unit = lines(readFileSync(UNIT, 'utf8'))
  expect(lines(shown).filter((line) => !unit.includes(line))).toEqual([])
  expect(lines(shown).length).toBeGreaterThan(10)
})

test('the manual page is as npm run man writes it', () => {
  expect(readFileSync(MAN_PAGE, 'utf8')).toBe(manPage())
})

test.runIf(hasProgram('groff'))('roff has no complaint about the manual page', () => {
  const { status, stderr } = spawnSync('groff', ['-man', '-ww', '-Tutf8', 'deploy/man/tidegate.1'], {
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
