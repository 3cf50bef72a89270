/** The built server and the built commands with tickets of a real KDC: the settings, every door, commands, a login that ends. */

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ChildServer } from '../harness/child-server.ts'
import { Kdc } from '../harness/kerberos/kdc.ts'
import { MAIN, startTidegate } from '../harness/tidegate-process.ts'

const execute = promisify(execFile)
const SECONDS = 1000

let folder: string
let kdc: Kdc
let environment: Readonly<Record<string, string | undefined>> = {}
let server: ChildServer | undefined

const file = (name: string): string => join(folder, name)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'served-kerberos-'))
  kdc = await Kdc.start({ otherRealm: true })
  environment = Object.fromEntries(Object.keys(kdc.environment).map((name) => [name, process.env[name]]))
  Object.assign(process.env, kdc.environment)
  await kdc.addPrincipal('alice', { keytab: file('alice') })
  await kdc.addPrincipal('zoe@OTHER.TEST', { password: 'her secret' })
  await kdc.addPrincipal('HTTP/localhost', { keytab: file('service') })
  await kdc.addPrincipal('hbase/localhost', { keytab: file('service') })
  await kdc.kinit(file('alice.cache'), 'alice', { keytab: file('alice') })
  await kdc.kinit(file('zoe.cache'), 'zoe@OTHER.TEST', { password: 'her secret' })
}, 60 * SECONDS)

afterEach(async () => {
  await server?.stop()
  server = undefined
})

afterAll(async () => {
  await kdc?.close()
  for (const [name, value] of Object.entries(environment))
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  rmSync(folder, { recursive: true, force: true })
})

async function serve(...args: readonly string[]): Promise<ChildServer> {
  server = await startTidegate('memory', ...args)
  return server
}

/** The status of an answer to the owner of a cache's ticket. */
async function status(cache: string, url: string): Promise<string> {
  const args = ['-s', '-o', '/dev/null', '-w', '%{http_code}', '--negotiate', '-u', ':', url]
  return (await execute('curl', args, { env: { ...process.env, KRB5CCNAME: `FILE:${cache}` } })).stdout
}

interface Run {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function tidegate(...args: readonly string[]): Promise<Run> {
  try {
    const { stdout, stderr } = await execute(process.execPath, [MAIN, ...args], { timeout: 60 * SECONDS })
    return { code: 0, out: stdout, err: stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as {
      readonly code: number
      readonly stdout: string
      readonly stderr: string
    }
    return { code, out: stdout, err: stderr }
  }
}

const login = (cache: string): string[] => ['--kerberos-cache', `FILE:${cache}`]

describe('a server with one keytab', () => {
  test.each([
    ['alone', []],
    ['with threads', ['--threads', '2']],
  ])(
    '%s takes tickets at REST and at its pages, of its own realm alone',
    async (_, more) => {
      await serve('--kerberos-service-keytab', file('service'), ...more)
      const rest = `http://localhost:${server!.port('rest')}/version`
      expect(await status(file('alice.cache'), rest)).toBe('200')
      expect(await status(file('zoe.cache'), rest)).toBe('403')
      expect(await status(file('alice.cache'), `http://localhost:${server!.port('web')}/metrics`)).toBe('200')
    },
    60 * SECONDS,
  )

  test(
    'takes a user of another realm by a rule',
    async () => {
      const rules = 'RULE:[1:$1@$0](.*@OTHER\\.TEST)s/@.*// DEFAULT'
      await serve('--kerberos-service-keytab', file('service'), '--kerberos-rules', rules)
      const rest = `http://localhost:${server!.port('rest')}/version`
      expect(await status(file('zoe.cache'), rest)).toBe('200')
    },
    60 * SECONDS,
  )

  test(
    'takes commands at every door that they know, with a cache and with a keytab',
    async () => {
      const child = await serve('--kerberos-service-keytab', file('service'))
      const port = (door: string): number => child.port(door)
      const addresses = [
        `rest:localhost:${port('rest')}`,
        `thrift:localhost:${port('thrift')}`,
        `thrift:localhost:${port('thrift')}/http`,
        `rpc:localhost:${port('rpc')}`,
      ]
      for (const [index, address] of addresses.entries()) {
        const made = [
          '-n',
          '-e',
          `create 't${index}', 'f'`,
          '-e',
          `put 't${index}', 'r', 'f:q', 'v'`,
          '-e',
          `count 't${index}'`,
        ]
        const run = await tidegate('shell', '--address', address, ...login(file('alice.cache')), ...made)
        expect({ address, ...run }).toMatchObject({
          address,
          code: 0,
          out: expect.stringContaining('1 row(s)'),
        })
      }
      const keytab = ['--kerberos-principal', 'alice@TIDEGATE.TEST', '--kerberos-keytab', file('alice')]
      const copied = await tidegate(
        'copy',
        addresses[0]!,
        `native:${file('copy')}`,
        '--all',
        '--create',
        ...keytab,
      )
      expect(copied).toMatchObject({ code: 0 })
      const refused = await tidegate('shell', '--address', addresses[3]!, '-n', '-e', 'list')
      expect(refused.code).toBe(1)
    },
    120 * SECONDS,
  )
})

describe('a start is refused', () => {
  test('where a keytab has no key of the principal', async () => {
    const run = await tidegate(
      'serve',
      '--store',
      'memory',
      '--kerberos-service-keytab',
      file('alice'),
      '--kerberos-service-principal',
      'HTTP/localhost@TIDEGATE.TEST',
    )
    expect(run.code).toBe(1)
    expect(run.err).toMatch(/Kerberos: .*HTTP\/localhost@TIDEGATE\.TEST/)
  })

  test('where the keytab of the login to a cluster is wrong', async () => {
    writeFileSync(file('nonsense'), 'no keytab')
    const run = await tidegate(
      'serve',
      '--store',
      'hbase:127.0.0.1:1',
      '--kerberos-principal',
      'alice@TIDEGATE.TEST',
      '--kerberos-keytab',
      file('nonsense'),
    )
    expect(run.code).toBe(1)
    expect(run.err).toMatch(/Kerberos: .*nonsense/)
  })
})

test(
  'the end of a ticket is in /health and a metric, and a renewal ends it',
  async () => {
    await kdc.addPrincipal('short', { keytab: file('short') }, { lifeSeconds: 12 })
    const flags = ['--kerberos-principal', 'short@TIDEGATE.TEST', '--kerberos-keytab', file('short')]
    server = await startTidegate('hbase:127.0.0.1:1', ...flags)
    const web = `http://localhost:${server.port('web')}`
    const left = async (): Promise<number> => {
      const text = await (await fetch(`${web}/metrics`)).text()
      return Number(
        /^tidegate_kerberos_ticket_seconds\{principal="short@TIDEGATE.TEST"\} (\S+)$/m.exec(text)?.[1],
      )
    }
    expect(await left()).toBeGreaterThan(0)
    await kdc.stop()
    await expect.poll(left, { timeout: 40 * SECONDS }).toBe(0)
    const health = await (await fetch(`${web}/health`)).text()
    expect(health).toContain('the ticket of short@TIDEGATE.TEST has expired')
    await kdc.restart()
    await expect.poll(left, { timeout: 60 * SECONDS }).toBeGreaterThan(0)
  },
  150 * SECONDS,
)
