import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTidegate, type Tidegate } from '../../src/library/start-tidegate.ts'

interface Example {
  readonly command: string
  readonly expected: string
}

const execute = promisify(execFile)

function examplesOf(markdown: string): Example[] {
  const block = /```sh\n(curl [\s\S]*?)```/.exec(markdown)?.[1] ?? ''
  const found = [...block.matchAll(/^(curl .*)\n#> (.*)$/gm)]
  return found.map((match) => ({ command: match[1]!, expected: match[2]! }))
}

const EXAMPLES = examplesOf(readFileSync('README.md', 'utf8'))

function has(program: string): boolean {
  return spawnSync(program, ['-c', 'exit 0'], { stdio: 'ignore' }).status === 0
}

const HAS_CURL = spawnSync('curl', ['--version'], { stdio: 'ignore' }).status === 0
const SHELLS = HAS_CURL ? ['sh', 'dash', 'bash', 'zsh', 'ksh'].filter(has) : []

let server: Tidegate
beforeAll(async () => {
  server = await startTidegate({ thrift: 'off' })
})
afterAll(() => server.stop())

/** The few of curl's options that the examples use, for machines without curl. */
async function likeCurl(command: string): Promise<string> {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2]!)
  const headers: Record<string, string> = {}
  let [method, url, written]: string[] = ['GET', '', '']
  let body: string | undefined
  for (let i = 1; i < words.length; i++) {
    const word = words[i]!
    if (word === '-X') method = words[++i]!
    else if (word === '-d') body = words[++i]!
    else if (word === '-w') written = words[++i]!
    else if (word === '-H') {
      const [name, value] = words[++i]!.split(': ')
      headers[name!] = value!
    } else url = word
  }
  const answer = await fetch(url!, { method: method!, headers, ...(body === undefined ? {} : { body }) })
  const tail = written!.replace('%{http_code}', String(answer.status)).replace('\\n', '\n')
  return `${await answer.text()}${tail}`
}

const onPort = (command: string): string => command.replace(':8080', `:${server.ports.rest}`)

describe('the curl examples of the readme', () => {
  test('leave nothing to a shell: what it would expand is quoted', () => {
    expect(EXAMPLES.length).toBeGreaterThan(5)
    const bare = EXAMPLES.map(({ command }) => command.replaceAll(/'[^']*'/g, ''))
    expect(bare.filter((command) => !/^[\w ./:-]*$/.test(command))).toEqual([])
  })

  test('answer as it says', async () => {
    for (const { command, expected } of EXAMPLES) {
      expect(await likeCurl(onPort(command)), command).toBe(`${expected}\n`)
    }
  })

  test.each(SHELLS)('answer as it says, typed into %s', async (shell) => {
    for (const { command, expected } of EXAMPLES) {
      const { stdout } = await execute(shell, ['-c', onPort(command)])
      expect(stdout, command).toBe(`${expected}\n`)
    }
  })
})
