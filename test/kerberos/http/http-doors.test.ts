/** Unmodified clients of HTTP with real tickets at REST, Thrift over HTTP, the web door and the timeline door. */

import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageRoot } from '../../../src/package-root.ts'
import type { HttpDoor } from '../../gateway/identity/guard/negotiate/negotiating-doors.ts'
import { kerberosPython, requestsPython } from '../../harness/kerberos/kerberos-python.ts'
import { getRow } from '../../harness/thrift-frames.ts'
import { MAIN } from '../../harness/tidegate-process.ts'
import { curl, openTicketDoors, type TicketDoors } from './ticket-holders.ts'

const programOf = (name: string): string =>
  fileURLToPath(new URL(`test/kerberos/http/${name}`, packageRoot()))
const PROGRAM = programOf('hue_client.py')
const DOORS: readonly HttpDoor[] = ['rest', 'thrift', 'web', 'timeline']
const PATHS: Readonly<Record<HttpDoor, string>> = {
  rest: '/t/schema',
  thrift: '/',
  web: '/metrics',
  timeline: '/ws/v1/timeline/t',
}
const RULES = new Map([['http-hue', { users: ['*'], groups: [], hosts: ['127.0.0.1', '::1'] }]])

let open: TicketDoors
beforeAll(async () => {
  open = await openTicketDoors({ settings: { proxyRules: RULES } })
  writeFileSync(join(open.folder, 'body'), getRow('t', 'r').subarray(4))
}, 60_000)
afterAll(() => open?.close())

const url = (door: HttpDoor, path: string = PATHS[door]): string =>
  `http://localhost:${open.doors.doors[door].port}${path}`
const argsOf = (door: HttpDoor): string[] =>
  door === 'thrift' ? ['--data-binary', `@${join(open.folder, 'body')}`, url(door)] : [url(door)]
const statusOf = (printed: string): string => printed.slice(printed.lastIndexOf('\n') + 1)
const challengesOf = (printed: string): string[] =>
  [...printed.matchAll(/^www-authenticate: ([^\r]*)/gim)].map(([, value]) => value!)

describe.each(DOORS)('curl --negotiate at %s', (door) => {
  test('gets in with a ticket, and the server proves itself', async () => {
    const cache = await open.cache('http-alice')
    const printed = await curl(open, cache, argsOf(door))
    expect(statusOf(printed)).toBe('200')
    expect(challengesOf(printed).at(-1)).toMatch(/^Negotiate [A-Za-z0-9+/=]{40,}$/)
  })

  test('stays out without one', async () => {
    const printed = await curl(open, join(open.folder, 'none'), argsOf(door))
    expect(statusOf(printed)).toBe('401')
    expect(challengesOf(printed)).toEqual(['Negotiate'])
  })

  test('stays out where its clock is ten minutes ahead', async () => {
    const cache = await open.cache('http-alice')
    // The KDC would refuse it, too: it has its ticket for the service already.
    await open.realm.run('kvno', ['-c', cache, open.target])
    const printed = await curl(open, cache, argsOf(door), open.realm.otherTime(600))
    expect(statusOf(printed)).toBe(door === 'thrift' ? '401' : '403')
    expect(printed).toMatch(/clock skew/i)
  })

  test('acts for another user by the rules alone', async () => {
    const doAs = ['-H', 'doAs: http-carol', ...argsOf(door)]
    expect(statusOf(await curl(open, await open.cache('http-hue/host.example.org'), doAs))).toBe('200')
    const refused = await curl(open, await open.cache('http-alice'), doAs)
    expect(statusOf(refused)).toBe('403')
    expect(refused).toMatch(/http-alice is not allowed to impersonate http-carol/)
  })
})

test("Hue's way of Thrift over HTTP: pykerberos checks the server's proof, and the user is in doAs", async () => {
  const cache = await open.cache('http-hue/host.example.org')
  const call = async (user: string): Promise<unknown> => {
    const args = [PROGRAM, String(open.doors.doors.thrift.port), user, join(open.folder, 'body')]
    const env = { ...process.env, ...open.realm.environment, KRB5CCNAME: cache }
    return JSON.parse((await promisify(execFile)(kerberosPython(), args, { env })).stdout)
  }
  expect(await call('http-carol')).toEqual({ status: 200, proved: true })
}, 300_000)

test("a jar keeps REST's cookie: later requests show no ticket", async () => {
  const jar = join(open.folder, 'jar')
  const cache = await open.cache('http-alice')
  const first = await curl(open, cache, ['-c', jar, url('rest')])
  expect(first).toMatch(
    /^Set-Cookie: hadoop\.auth="u=http-alice&p=http-alice@TIDEGATE\.TEST&t=kerberos&e=\d+&s=/m,
  )
  const later = await curl(open, join(open.folder, 'none'), ['-b', jar, url('rest')])
  expect([statusOf(later), challengesOf(later)]).toEqual(['200', []])
})

test('a ticket that was shown is refused, and so are cut and changed ones', async () => {
  const login = await open.logIn('http-dave')
  try {
    const shown = (await login.negotiate(open.target)).toString('base64')
    const ask = async (token: string): Promise<[number, string]> => {
      const { status, body } = await open.doors.ask('rest', { authorization: `Negotiate ${token}` })
      return [status, body]
    }
    expect((await ask(shown))[0]).toBe(200)
    const [status, body] = await ask(shown)
    expect([status, body]).toEqual([403, expect.stringMatching(/replay/i)])
    const fresh = await login.negotiate(open.target)
    for (const length of [1, 10, 100, fresh.length - 1])
      expect([401, 403]).toContain((await ask(fresh.subarray(0, length).toString('base64')))[0])
    for (let at = 100; at < fresh.length; at += 61) {
      const changed = Buffer.from(fresh)
      changed[at]! ^= 0x55
      expect([at, [401, 403].includes((await ask(changed.toString('base64')))[0])]).toEqual([at, true])
    }
    expect((await ask((await login.negotiate(open.target)).toString('base64')))[0]).toBe(200)
  } finally {
    login.close()
  }
}, 60_000)

test('a thousand logins a minute, with the cache of replays', async () => {
  const login = await open.logIn('http-erin')
  try {
    const since = performance.now()
    for (let turn = 0; turn < 100; turn++) {
      const tokens = await Promise.all(Array.from({ length: 10 }, () => login.negotiate(open.target)))
      const asked = tokens.map((token) =>
        open.doors.ask('rest', { authorization: `Negotiate ${token.toString('base64')}` }),
      )
      for (const { status } of await Promise.all(asked)) expect(status).toBe(200)
    }
    expect(performance.now() - since).toBeLessThan(60_000)
  } finally {
    login.close()
  }
}, 120_000)

test('requests-gssapi at REST: tickets, proofs of the server, a session with its cookie, and doAs', async () => {
  const cache = await open.cache('http-hue/host.example.org')
  const args = [programOf('requests_client.py'), url('rest', ''), 'http-carol']
  const env = { ...process.env, ...open.realm.environment, KRB5CCNAME: cache }
  const { stdout } = await promisify(execFile)(requestsPython(), args, { env })
  expect(JSON.parse(stdout)).toEqual({
    put: 200,
    value: Buffer.from('v').toString('base64'),
    eager: [200, 0],
    acting: 200,
    session: [200, 200, true],
    bare: 401,
  })
}, 300_000)

test('tidegate health shows a ticket where a page asks for one', async () => {
  const cache = `FILE:${await open.cache('http-alice')}`
  const health = async (...flags: readonly string[]): Promise<string> => {
    const args = [MAIN, 'health', url('web'), ...flags]
    const env = { ...process.env, ...open.realm.environment, KRB5CCNAME: `FILE:${join(open.folder, 'none')}` }
    return promisify(execFile)(process.execPath, args, { env }).then(
      ({ stdout }) => stdout,
      ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) =>
        `failed: ${stdout}${stderr}`,
    )
  }
  expect(await health('--kerberos-cache', cache)).toContain('tidegate_')
  const { principal, keytab } = await open.user('http-alice')
  expect(await health('--kerberos-principal', principal, '--kerberos-keytab', keytab)).toContain('tidegate_')
  expect(await health()).toMatch(/^failed: /)
  expect(await health('--kerberos')).toMatch(/^failed: .*Kerberos: /s)
  expect(
    await health('--kerberos-cache', cache, '--server-principal', `HTTP/other@${open.realm.realm}`),
  ).toMatch(/^failed: .*HTTP\/other/s)
}, 120_000)
