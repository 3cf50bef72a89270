/** Runs the commands that people copy, where there are programs for them. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { b64, ConsoleClient } from '../doors/web/console-client.ts'
import { consoleModule } from './console-module.ts'

interface Read {
  table: string
  row?: Uint8Array
  start?: Uint8Array
  stop?: Uint8Array
  prefix?: Uint8Array
  columns: Uint8Array[]
  versions: string
  from: string
  to: string
  filter: string
  rows: number
}

interface Place {
  protocol: string
  host: string
  rest?: number
  thrift?: number
  user?: string
}

const { asCurl, asHappybase, asShell, afterPrefix } = await consoleModule<{
  asCurl: (read: Read, place: Place) => string
  asHappybase: (read: Read, place: Place) => string
  asShell: (read: Read) => string
  afterPrefix: (prefix: Uint8Array) => Uint8Array | undefined
}>('copy-as.js')

const ODD = Buffer.from('<o\'d"#{$(x)}\0\xff', 'latin1')
const READ: Read = { table: 't', columns: [], versions: '', from: '', to: '', filter: '', rows: 10 }
const PLACE: Place = { protocol: 'http:', host: '127.0.0.1', rest: 8080, thrift: 9090 }

test('a prefix ends where the next one begins', () => {
  expect(afterPrefix(Buffer.from('61ff', 'hex'))).toEqual(new Uint8Array(Buffer.from('62', 'hex')))
  expect(afterPrefix(Buffer.from('ffff', 'hex'))).toBeUndefined()
})

test('the shell’s command has every byte as Ruby writes it', () => {
  expect(asShell({ ...READ, row: ODD })).toBe('get "t", "<o\'d\\x22\\x23{$(x)}\\x00\\xFF"')
  const scan = {
    ...READ,
    prefix: ODD,
    columns: [Buffer.from('f:q')],
    versions: '3',
    from: '1',
    filter: "PrefixFilter('a')",
  }
  expect(asShell(scan)).toBe(
    'scan "t", {ROWPREFIXFILTER => "<o\'d\\x22\\x23{$(x)}\\x00\\xFF", COLUMNS => ["f:q"], VERSIONS => 3, ' +
      'TIMERANGE => [1, 9223372036854775807], FILTER => "PrefixFilter(\'a\')", LIMIT => 10}',
  )
  expect(asShell({ ...READ, start: ODD, stop: Buffer.from('z'), versions: 'all' })).toBe(
    'scan "t", {STARTROW => "<o\'d\\x22\\x23{$(x)}\\x00\\xFF", STOPROW => "z", VERSIONS => 2147483647, LIMIT => 10}',
  )
})

test('happybase’s command has every byte as Python writes it', () => {
  const [, , last] = asHappybase({ ...READ, row: ODD, columns: [Buffer.from('f:q')] }, PLACE).split('\n')
  expect(last).toBe("print(table.row(b'<o\\x27d\"#{$(x)}\\x00\\xff', columns=[b'f:q']))")
  expect(asHappybase({ ...READ, prefix: ODD, filter: "A('b')", to: '7' }, PLACE)).toContain(
    "for row, cells in table.scan(row_prefix=b'<o\\x27d\"#{$(x)}\\x00\\xff', filter=b'A(\\x27b\\x27)', timestamp=7, limit=10):",
  )
  const { thrift: _, ...noThrift } = PLACE
  expect(asHappybase(READ, noThrift)).toBe('# the Thrift door is off')
})

const execute = promisify(execFile)
const hasCurl = await execute('curl', ['--version']).then(
  ({ stdout }) => Number(/curl (\d+\.\d+)/.exec(stdout)?.[1]) >= 7.84,
  () => false,
)

describe.runIf(hasCurl)('curl', () => {
  let client: ConsoleClient
  beforeAll(async () => {
    client = await ConsoleClient.start({ consoleWrites: true })
    await client.change({ kind: 'createTable', table: 't', families: [{ name: b64('f'), versions: '3' }] })
    for (const [row, at] of [
      [ODD, 1],
      [ODD, 2],
      [Buffer.from('plain'), 3],
      [Buffer.from('Zü /?&%'), 4],
    ] as const) {
      await client.put('t', row.toString('base64'), b64('v'), { timestamp: String(at) })
    }
  })
  afterAll(() => client.server.stop())

  async function run(read: Partial<Read>): Promise<string[]> {
    const { rest } = client.server.ports
    const command = asCurl({ ...READ, ...read }, { ...PLACE, rest: rest! })
    const { stdout } = await execute('sh', ['-c', command])
    const { rows } = JSON.parse(stdout) as { rows: { key: string; cells: { timestamp: number }[] }[] }
    return rows.map(({ key, cells }) => `${key} ${cells.map(({ timestamp }) => timestamp).join()}`)
  }

  const odd = '<o\'d"#{$(x)}\\x00\\xFF'
  test.each<[string, Partial<Read>, string[]]>([
    ['a row of odd bytes', { row: ODD, versions: 'all' }, [`${odd} 2,1`]],
    ['a row and a column', { row: Buffer.from('Zü /?&%'), columns: [Buffer.from('f:q')] }, ['Zü /?&% 4']],
    ['all rows', {}, [`${odd} 2`, 'Zü /?&% 4', 'plain 3']],
    ['a prefix of odd bytes', { prefix: ODD, versions: '3' }, [`${odd} 2,1`]],
    ['a range from odd bytes', { start: ODD, stop: Buffer.from('[') }, [`${odd} 2`, 'Zü /?&% 4']],
    [
      'odd bytes, times and a filter',
      { start: ODD, from: '2', to: '4', filter: "PrefixFilter('p')" },
      ['plain 3'],
    ],
    ['a prefix of UTF-8', { prefix: Buffer.from('Zü ') }, ['Zü /?&% 4']],
    ['times and a filter', { from: '3', to: '5', filter: "RowFilter(=, 'substring:ü')" }, ['Zü /?&% 4']],
    ['a few rows', { rows: 1 }, [`${odd} 2`]],
  ])('of %s', async (_, read, rows) => {
    expect(await run(read)).toEqual(rows)
  })

  test('with a user whose name has a quote', () => {
    expect(asCurl(READ, { ...PLACE, user: "o'neill" })).toContain("--user 'o'\\''neill' ")
  })
})
