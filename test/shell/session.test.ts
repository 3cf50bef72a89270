import { afterAll, beforeAll, expect, test } from 'vitest'
import { COMMAND_GROUPS, COMMANDS } from '../../src/shell/commands/command-groups.ts'
import { commandsWithHelp } from '../../src/shell/help/command-help.ts'
import { FORMATS } from '../../src/transfer/formats/formats.ts'
import { openShellOnServer, type ShellOnServer } from './shell-on-server.ts'

let shell: ShellOnServer

beforeAll(async () => {
  shell = await openShellOnServer()
})

afterAll(() => shell.close())

async function printed(...lines: string[]): Promise<string> {
  return (await shell.run(lines)).output
}

test('a failure ends a session that is not forgiving, with its reason and exit code 1', async () => {
  const { output, code } = await shell.run(["get 'none', 'r'", 'list'], false)
  expect(code).toBe(1)
  expect(output).toMatch(
    /^hbase:001:0> get 'none', 'r'\nCOLUMN {2}CELL\nTook .*\nERROR .*Unknown table none!\n$/,
  )
  expect((await shell.run(['nope'], false)).output).toContain(
    'ERROR nope: there is no such command or variable; help lists',
  )
  expect((await shell.run(["get 't', )"], false)).code).toBe(1)
})

test('a forgiving session goes on, and exit states its code', async () => {
  const { output, code } = await shell.run(["get 'none', 'r'", 'list', 'exit 7', 'list'])
  expect(code).toBe(7)
  expect(output.match(/0 row\(s\)/g)).toHaveLength(1)
  expect((await shell.run(['exit'])).code).toBe(0)
})

test('a refusal names the line of the input', async () => {
  expect(await printed('list', "scan 't', {", '  LIMIT => 1 + 1}')).toContain(
    "NotImplementedError (line 3: this shell runs HBase's commands, not Ruby",
  )
})

test('prompts show what is open', async () => {
  const output = await printed("exists 'a", "b'", 'exists(', "'t')")
  expect(output).toContain("hbase:002:0' b'")
  expect(output).toContain("hbase:004:1* 't')")
})

test('questions are answered by the next line', async () => {
  const output = await printed(
    "create 'q1', 'f'",
    "disable_all 'q.*'",
    'n',
    "is_enabled 'q1'",
    "disable_all 'q.*'",
    'y',
    "drop 'q1'",
  )
  expect(output).toContain('=> true\n')
  expect(output).toContain('1 tables successfully disabled')
})

test('bytes and timestamps of 64 bits come back as they went in', async () => {
  const output = await printed(
    "create 'b', {NAME => 'f', VERSIONS => 3}",
    'put \'b\', "r\\x00\\xff", "f:\\x80", "\\xfe\\n", 9223372036854775806',
    "scan 'b'",
    "put 'b', 'n', 'f:n', \"\\x00\\x00\\x00\\x00\\x00\\x00\\x01\\x00\", 1",
    "get 'b', 'n', 'f:n:toLong'",
    "disable 'b'",
    "drop 'b'",
  )
  expect(output).toContain(
    ' r\\x00\\xFF column=f:\\x80, timestamp=+292278994-08-17T07:12:55.806, value=\\xFE\\x0A\n',
  )
  expect(output).toContain(' f:n timestamp=1970-01-01T00:00:00.001, value=256\n')
})

test('every command stands in one group and has help', async () => {
  const names = COMMAND_GROUPS.flatMap(({ commands }) => commands.map(({ name }) => name))
  expect(new Set(names).size).toBe(names.length)
  expect([...commandsWithHelp()].sort()).toEqual([...names].sort())
  const others = [...COMMANDS.keys()].filter((name) => !names.includes(name))
  expect(others.sort()).toEqual(['desc', 'exit', 'help', 'hlog_roll', 'quit', 'sleep', 'table_help', 'tools'])
  expect(await printed("help 'desc'")).toContain("hbase> describe 't1'")
  expect(await printed("help 'namespace'")).toContain('Command: create_namespace')
  expect(await printed("help 'nope'")).toContain('ERROR: Invalid command or command group name: nope')
  expect(await printed('help')).toContain('Group name: dml')
})

test('a name that is missing is answered by the nearest one, and wrong arguments by an example', async () => {
  expect(await printed("scna 't1'")).toContain(
    '\nERROR: scna: there is no such command; did you mean scan?\n',
  )
  expect(await printed("scan 't1', {STARTROE => 'a'}")).toContain(
    '\nERROR: STARTROE: there is no such constant; did you mean STARTROW?\n',
  )
  expect(await printed('count')).toContain(
    "\nERROR: wrong number of arguments (given 0, expected 1..2)\nUsage: count 't1'\n\nFor usage try 'help \"count\"'\n",
  )
  expect((await shell.run(['count'], false)).output).toContain("\nUsage: count 't1'\n")
})

test('READ_TYPE is obeyed, and other words of it are refused', async () => {
  await printed("create 'rt', 'f'", "put 'rt', 'r', 'f:q', 'v', 1")
  for (const type of ['DEFAULT', 'STREAM', 'PREAD'])
    expect(await printed(`scan 'rt', {READ_TYPE => '${type}'}`)).toContain('\n1 row(s)\n')
  expect(await printed("scan 'rt', {READ_TYPE => 'stream'}")).toContain(
    "No enum constant org.apache.hadoop.hbase.client.Scan.ReadType.stream: READ_TYPE is 'DEFAULT', 'STREAM' or 'PREAD'",
  )
})

test('Ctrl-C in a scan says how many rows were printed, and ends a script', async () => {
  await printed("create 'i', 'f'", ...['a', 'b', 'c'].map((row) => `put 'i', '${row}', 'f:q', 'v'`))
  expect(await shell.run(["scan 'i'", 'list'], true, { interruptAtRow: 2, endsAtInterrupt: false })).toEqual({
    code: undefined,
    output: expect.stringMatching(/column=f:q[^]*\ninterrupted after 2 row\(s\)\nTook .*\n[^]*list\nTABLE/),
  })
  expect(await shell.run(["scan 'i'", 'list'], true, { interruptAtRow: 1, endsAtInterrupt: true })).toEqual({
    code: 130,
    output: expect.stringMatching(/\ninterrupted after 1 row\(s\)\nTook .*\n$/),
  })
})

async function asData(format: 'json' | 'csv', line: string): Promise<string> {
  const { writer } = FORMATS[format === 'json' ? 'ndjson' : 'csv']
  return (await shell.run([line], false, undefined, { format, cells: writer })).output
}

test('the output is data for programs, with all bytes', async () => {
  await printed("create 'd', {NAME => 'f', VERSIONS => 3}", 'put \'d\', "r\\x00", "f:\\xff", "a,b", 7')
  expect(await asData('json', "scan 'd'")).toBe(
    '{"key":"r\\\\x00","cells":[{"column":"f:\\\\xFF","timestamp":7,"value":"a,b"}]}\n',
  )
  expect(await asData('csv', 'get \'d\', "r\\x00"')).toBe(
    'row,column,timestamp,type,value\nr\\x00,f:\\xFF,7,Put,"a,b"\n',
  )
  expect(await asData('json', "get 'd', 'none'")).toBe('')
  expect(await asData('json', "list 'd'")).toBe('{"table":"d"}\n')
  expect(await asData('csv', "list 'd'")).toBe('table\nd\n')
  expect(await asData('json', "count 'd'")).toBe('{"rows":1}\n')
  expect(await asData('json', "is_enabled 'd'")).toContain('{"value":true}\n')
  expect(JSON.parse(await asData('json', "describe 'd'"))).toMatchObject({
    table: 'd',
    state: 'ENABLED',
    families: [{ name: 'f', attributes: { VERSIONS: '3' } }],
  })
  expect(await asData('csv', "describe 'd'")).toMatch(
    /^table,family,attribute,value\nd,,STATE,ENABLED\n[^]*d,f,VERSIONS,3\n/,
  )
})
