import { afterAll, beforeAll, expect, test } from 'vitest'
import { COMMAND_GROUPS, COMMANDS } from '../../src/shell/commands/command-groups.ts'
import { commandsWithHelp } from '../../src/shell/help/command-help.ts'
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
  expect((await shell.run(['nope'], false)).output).toContain('ERROR NameError')
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
