import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { parsedSettings } from '../parsed-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'tidegate-guard-'))
const FILES = ['--tls-certificate', 'a.crt', '--tls-key', 'a.key']

afterAll(() => rmSync(folder, { recursive: true }))

describe('more than the loopback', () => {
  test.each(['0.0.0.0', '::', '192.0.2.1', 'gateway.example', '128.0.0.1'])(
    'at %s is not bound where clients need no login, unless a flag insists',
    (host) => {
      expect(() => parsedSettings('--host', host)).toThrow(
        /clients need no login; make users with "tidegate user add NAME/,
      )
      expect(() => parsedSettings('--host', host, ...FILES)).toThrow(/clients need no login/)
      expect(parsedSettings('--host', host, '--insecure').open).toHaveLength(2)
      expect(parsedSettings('--host', host, '--users', 'users').open).toEqual([
        expect.stringContaining('can be read on the way'),
      ])
      expect(parsedSettings('--host', host, '--users', 'users', ...FILES).open).toEqual([])
      expect(parsedSettings('--host', host, ...FILES, '--tls-client-ca', 'ca.crt').open).toEqual([])
    },
  )

  test.each(['127.0.0.1', '127.3.2.1', '::1', 'localhost'])('%s is none', (host) => {
    expect(parsedSettings('--host', host)).toMatchObject({ open: [], guard: undefined, tls: undefined })
  })
})

test.each([
  [['--tls-certificate', 'a.crt'], 'each --tls-certificate needs its --tls-key'],
  [['--tls-client-ca', 'ca.crt'], '--tls-client-ca needs --tls-certificate'],
  [['--tls-plain-too', 'web'], '--tls-plain-too needs --tls-certificate'],
  [[...FILES, '--tls-plain-too', 'web,gopher'], '"gopher" is no door'],
  [[...FILES, '--tls-client-crl', 'crl'], '--tls-client-crl needs --tls-client-ca'],
  [[...FILES, '--tls-client-certificates', 'optional'], '--tls-client-certificates needs --tls-client-ca'],
  [['--jwt-issuer', 'x'], '--jwt-issuer and --jwt-audience need'],
  [['--jwt-key-set', 'http://id.example/keys'], 'use https'],
  [['--jwt-key-set', 'https://'], 'it is no URL'],
  [['--jwt-secret', 'x,'], 'A path is missing'],
  [['--jwt-secret', 'x', '--jwt-skew-s', '4000'], 'It must be a whole number from 0 to 3600'],
  [['--users', ''], 'A path is missing'],
])('%j is refused', (flags, reason) => {
  expect(() => parsedSettings(...flags)).toThrow(reason)
})

afterEach(() => vi.unstubAllEnvs())

test.each([
  ['no', true],
  ['false', true],
  ['yes', false],
])('TIDEGATE_INSECURE=%s', (text, isRefused) => {
  vi.stubEnv('TIDEGATE_INSECURE', text)
  if (isRefused) expect(() => parsedSettings('--host', '0.0.0.0')).toThrow(/clients need no login/)
  else expect(parsedSettings('--host', '0.0.0.0').open).toHaveLength(2)
})

test('keys of tokens may be given several times, for an overlap', () => {
  const { guard } = parsedSettings('--jwt-secret', 'old', '--jwt-secret', 'new', '--jwt-key', 'one,two')
  expect(guard?.tokens).toMatchObject({ secrets: ['old', 'new'], keys: ['one', 'two'] })
})

describe('tidegate user', () => {
  const users = join(folder, 'users')
  const command = (
    args: readonly string[],
    input = '',
  ): { code: number | null; out: string; err: string } => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['dist/src/cli/main.js', 'user', ...args, '--users', users],
      {
        input,
        encoding: 'utf8',
      },
    )
    return { code: status, out: stdout, err: stderr }
  }

  test('adds, lists and removes users, whose passwords come from stdin', () => {
    expect(command(['add', 'alice'], 'a long password\n')).toMatchObject({
      code: 0,
      out: expect.stringContaining('alice'),
    })
    expect(command(['add', 'bob'], 'another password').code).toBe(0)
    expect(command(['add', 'bob'], 'a third password').out).toContain('the password is changed')
    expect(command(['list']).out).toBe('alice\nbob\n')
    expect(command(['remove', 'alice']).code).toBe(0)
    expect(command(['list']).out).toBe('bob\n')
    expect(readFileSync(users, 'utf8')).not.toContain('password')
  })

  test('says what is wrong', () => {
    expect(command(['add', 'a:b'], 'a long password')).toMatchObject({
      code: 2,
      err: expect.stringContaining('is no name of a user'),
    })
    expect(command(['add', 'carol'], 'short')).toMatchObject({
      code: 2,
      err: expect.stringContaining('must have 8 or more'),
    })
    expect(command(['remove', 'nobody'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('has no user nobody'),
    })
  })
})
