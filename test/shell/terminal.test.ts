import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { completions, type KnownNames } from '../../src/shell/completion.ts'
import { Formatter } from '../../src/shell/output/formatter.ts'
import { localDateTime } from '../../src/shell/output/timestamp-text.ts'
import { readHistory, Terminal } from '../../src/shell/terminal.ts'

const NAMES: KnownNames = {
  commands: ['get', 'get_splits', 'scan'],
  tables: async () => ['t1', 't2', 'other'],
  families: async (table) => (table === 't1' ? ['f', 'g'] : []),
}

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shell-history-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

test.each([
  ['ge', ['get', 'get_splits'], 'ge'],
  ["get 't", ["t1'", "t2'"], 't'],
  ['get "o', ['other"'], 'o'],
  ["get 't1', 'r', 'g", ['g:'], 'g'],
  ["scan 't1', {REVER", ['REVERSED'], 'REVER'],
  ["scan 't1', ", [], ''],
])('%s is completed by %j', async (line, candidates, begun) => {
  expect(await completions(line, NAMES)).toEqual({ candidates, begun })
})

test('a terminal keeps its lines for the next session, where only its user may read them', async () => {
  const historyFile = join(folder, 'state', 'history')
  const [input, output] = [new PassThrough(), new PassThrough()]
  const terminal = new Terminal({ input, output, historyFile, names: NAMES, interrupt: () => undefined })
  input.write('first\n')
  expect(await terminal.next('> ')).toBe('first')
  input.write("put 't', 'r', 'f:q', 'secret'\n")
  await terminal.next('> ')
  terminal.close()
  expect(await terminal.next('> ')).toBeUndefined()
  expect(readFileSync(historyFile, 'utf8')).toBe("first\nput 't', 'r', 'f:q', 'secret'\n")
  expect(statSync(historyFile).mode & 0o777).toBe(0o600)
  expect(readHistory(historyFile)).toHaveLength(2)
})

test('rows of two columns are aligned and broken on a terminal', () => {
  const lines: string[] = []
  const out = new Formatter({ width: 20, write: (text) => lines.push(text) })
  out.header(['ROW', 'COLUMN+CELL'])
  out.row(['longer', 'column=f:q, value=1'])
  out.footer()
  expect(lines).toEqual([
    'ROW    COLUMN+CELL  \n',
    ' longe column=f:q, v\n',
    ' r     alue=1       \n',
    '1 row(s)\n',
  ])
})

test.each([
  [0n, '1970-01-01T00:00'],
  [5n, '1970-01-01T00:00:00.005'],
  [951782400000n, '2000-02-29T00:00'],
  [-1n, '1969-12-31T23:59:59.999'],
  [1579141440000000n, '+52011-01-01T00:00'],
  [9223372036854775807n, '+292278994-08-17T07:12:55.807'],
  [-9223372036854775808n, '-292275055-05-16T16:47:04.192'],
])('the time %d is %s', (timestamp, text) => {
  expect(localDateTime(timestamp)).toBe(text)
})
