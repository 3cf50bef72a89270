import { beforeEach, expect, test } from 'vitest'
import {
  type CommandFacts,
  type DisplayStyle,
  ProgressDisplay,
} from '../../../src/cli/terminal/progress-display.ts'
import type { Step } from '../../../src/cli/terminal/progress-text.ts'

const ERASE = '\r\x1b[K'

let now: number
let columns: number
let written: string[]
let step: Step

beforeEach(() => {
  now = 0
  columns = 80
  written = []
  step = stepAt(0)
})

function stepAt(rows: number): Step {
  return {
    task: 't',
    amounts: [
      { unit: 'rows', done: rows },
      { unit: 'bytes', done: rows * 1024, total: 10_240 },
    ],
    fraction: rows / 10,
  }
}

function displayOf(
  style: DisplayStyle,
  advice: CommandFacts['advice'] = () => 'Do it again',
): ProgressDisplay {
  const display = new ProgressDisplay(style === 'line' ? 'line' : 'log', {
    write: (text) => void written.push(text),
    columns: () => columns,
    now: () => now,
  })
  display.begin({ command: 'copy', style, advice })
  return display
}

function tickAt(display: ProgressDisplay, ms: number, rows: number): void {
  now = ms
  step = stepAt(rows)
  display.tick()
}

test('a terminal has one line in place, and lines that stay above it', () => {
  const display = displayOf('line')
  const end = display.watch(() => step)
  tickAt(display, 2000, 4)
  expect(written.splice(0)).toEqual([`${ERASE}t: 40 %, 4 rows, 4.0 KB of 10.0 KB, 2.0 KB/s, about 3 s left`])
  display.print('warning: w')
  expect(written.splice(0)).toEqual([ERASE, 'warning: w\n'])
  tickAt(display, 4000, 8)
  written = []
  end()
  expect(written).toEqual([ERASE])
  display.tick()
  expect(written).toEqual([ERASE])
})

test('a narrow terminal has fewer parts, and no line that wraps', () => {
  const display = displayOf('line')
  display.watch(() => step)
  const lines = [55, 40, 30, 12, 8, 4].map((width) => {
    columns = width + 1
    tickAt(display, 2000, 4)
    return written.pop()!.slice(ERASE.length)
  })
  expect(lines).toEqual([
    't: 40 %, 4 rows, 2.0 KB/s, about 3 s left',
    't: 40 %, 2.0 KB/s, about 3 s left',
    't: 40 %, about 3 s left',
    't: 40 %',
    't: 40 %',
    't',
  ])
  step = { task: '表表表', amounts: [] }
  columns = 6
  display.tick()
  expect(written.pop()).toBe(`${ERASE}表...`)
})

test('a control character of a name does not reach the terminal', () => {
  const display = displayOf('line')
  display.watch(() => ({ task: 'a\x1b[31m\nb', amounts: [] }))
  display.tick()
  expect(written).toEqual([`${ERASE}a [31m b`])
})

test('a log has a line every five seconds, and none of short work', () => {
  const display = displayOf('log')
  const end = display.watch(() => step)
  for (let second = 1; second <= 11; second++) tickAt(display, second * 1000, second / 2)
  expect(written).toEqual([
    't: 25 %, 2.5 rows, 2.5 KB of 10.0 KB, 512 bytes/s, about 15 s left\n',
    't: 50 %, 5 rows, 5.0 KB of 10.0 KB, 512 bytes/s, about 10 s left\n',
  ])
  end()
  expect(written).toHaveLength(2)
})

test('the speed is that of the last ten seconds', () => {
  const display = displayOf('log')
  display.watch(() => step)
  for (let second = 1; second <= 4; second++) tickAt(display, second * 1000, second)
  for (let second = 5; second <= 20; second++) tickAt(display, second * 1000, 4)
  expect(written.at(-1)).toBe('t: 40 %, 4 rows, 4.0 KB of 10.0 KB, 0 bytes/s, about 30 s left\n')
})

test('programs get an object a second', () => {
  const display = displayOf('json')
  display.watch(() => step)
  tickAt(display, 500, 1)
  tickAt(display, 2000, 4)
  expect(written.map((line) => JSON.parse(line))).toEqual([
    {
      kind: 'progress',
      command: 'copy',
      task: 't',
      done: { rows: 4, bytes: 4096 },
      total: { bytes: 10_240 },
      percent: 40,
      seconds: 2,
      bytesPerSecond: 2048,
      secondsLeft: 3,
    },
  ])
})

test('a quiet command shows no progress, and its warnings', () => {
  const display = displayOf('quiet')
  display.watch(() => step)
  tickAt(display, 60_000, 4)
  display.print('warning: w')
  expect(written).toEqual(['warning: w\n'])
})

function seen(steps: readonly Step[]): string {
  return `Seen: ${steps.length}`
}

test('an interrupted command says what it has done, and how it can go on', () => {
  displayOf('log', seen).interrupted()
  const display = displayOf('log', seen)
  display.watch(() => stepAt(10))()
  display.watch(() => step)
  step = stepAt(4)
  display.interrupted()
  expect(written).toEqual([
    'tidegate: copy was interrupted: nothing was done yet. Seen: 0\n',
    'tidegate: copy was interrupted: t: 10 rows, 10.0 KB of 10.0 KB; t: 4 rows, 4.0 KB of 10.0 KB. Seen: 2\n',
  ])
  const programs = displayOf('json')
  programs.watch(() => step)
  programs.interrupted()
  expect(JSON.parse(written.at(-1)!)).toEqual({
    kind: 'interrupted',
    command: 'copy',
    steps: [{ task: 't', done: { rows: 4, bytes: 4096 }, total: { bytes: 10_240 } }],
    advice: 'Do it again',
  })
})

test('an interrupted command names the amounts that stay', () => {
  const display = displayOf('log')
  display.watch(() => ({ ...stepAt(4), staying: [{ unit: 'rows', done: 3, total: 10 }] }))
  display.interrupted()
  expect(written).toEqual(['tidegate: copy was interrupted: t: 3 of 10 rows. Do it again\n'])
})

test.each(['line', 'log', 'json'] as const)(
  'nothing is shown after the message of an interruption: %s',
  (style) => {
    const display = displayOf(style)
    const end = display.watch(() => step)
    tickAt(display, 500, 1)
    display.interrupted()
    const shown = written.length
    tickAt(display, 60_000, 8)
    display.print('copied 8 of 8 rows')
    display.trouble('s', 'Cannot reach a:1, trying again (3 s)')
    display.interrupted()
    end()
    display.watch(() => step)
    display.tick()
    display.end()
    expect(written.slice(shown)).toEqual([])
    expect(written.at(-1)).toContain('interrupted')
  },
)

test("a server's trouble takes the place of the progress as long as it lasts", () => {
  const display = displayOf('line')
  display.watch(() => step)
  display.trouble('s', 'Cannot reach a:1, trying again (3 s)')
  display.trouble('s', undefined)
  expect(written).toEqual([
    `${ERASE}Cannot reach a:1, trying again (3 s)`,
    `${ERASE}t: 0 %, 0 rows, 0 bytes of 10.0 KB, 0 bytes/s`,
  ])
})
