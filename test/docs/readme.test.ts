import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import { startRestDoor } from '../../src/doors/rest/rest-door.ts'
import { advertised } from '../../src/gateway/advertised.ts'
import type { Door } from '../../src/gateway/door.ts'
import { DEFAULT_LIMITS } from '../../src/gateway/limits.ts'
import type { Store } from '../../src/store/store.ts'

interface Example {
  readonly command: string
  readonly expected: string
}

function examplesOf(markdown: string): Example[] {
  const block = /```sh\n([\s\S]*?)```/.exec(markdown)?.[1] ?? ''
  const found = [...block.matchAll(/^(curl .*)\n#> (.*)$/gm)]
  return found.map((match) => ({ command: match[1]!, expected: match[2]! }))
}

/** The few of curl's options that the examples use. */
async function curl(command: string, port: number): Promise<string> {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2]!)
  const headers: Record<string, string> = {}
  let method = 'GET'
  let body: string | undefined
  let url = ''
  for (let i = 1; i < words.length; i++) {
    const word = words[i]!
    if (word === '-X') method = words[++i]!
    else if (word === '-d') body = words[++i]!
    else if (word === '-H') {
      const [name, value] = words[++i]!.split(': ')
      headers[name!] = value!
    } else url = word
  }
  const answer = await fetch(url.replace(':8080', `:${port}`), {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  })
  return `${answer.status} ${await answer.text()}`.trim()
}

let store: Store
let door: Door
beforeAll(async () => {
  store = openMemoryStore({ clock: { now: () => Date.now() } })
  const server = { host: 'region.server', port: 16020, startCode: 1 }
  const context = {
    store: advertised(store, server),
    limits: DEFAULT_LIMITS,
    logger: pino({ level: 'silent' }),
  }
  door = await startRestDoor(context, { host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await door.close()
  await store.close()
})

test('the curl examples of the readme answer as it says', async () => {
  const examples = examplesOf(readFileSync('README.md', 'utf8'))
  expect(examples.length).toBeGreaterThan(5)
  for (const { command, expected } of examples) {
    expect(await curl(command, door.port), command).toBe(expected)
  }
})
