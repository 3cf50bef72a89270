import { describe, expect, test } from 'vitest'
import type { LoginPlace } from '../../../../src/gateway/identity/guard/login-place.ts'
import { isHost, type ProxyRule, ProxyUsers } from '../../../../src/gateway/identity/guard/proxy-users.ts'

function ruled(rule: Partial<ProxyRule>): ProxyUsers {
  const all = { users: ['*'], groups: [], hosts: ['*'], ...rule }
  return new ProxyUsers(new Map([['knox', all]]), (user) => (user === 'ann' ? ['staff', 'dev'] : []))
}

function check(
  rule: Partial<ProxyRule>,
  user = 'ann',
  address = '10.1.2.3',
  via?: LoginPlace['via'],
): Promise<void> {
  return ruled(rule).check('knox', user, { address, via })
}

describe('a rule', () => {
  test.each<[Partial<ProxyRule>, string?, string?, string?]>([
    [{}],
    [{ users: ['bob', 'ann'] }],
    [{ users: [], groups: ['dev'] }],
    [{ users: [], groups: ['*'] }, 'anyone'],
    [{ hosts: ['10.1.2.3'] }],
    [{ hosts: ['192.168.0.0/16', '10.0.0.0/8'] }],
    [{ hosts: ['10.0.0.0/8'] }, 'ann', '::ffff:10.9.9.9'],
    [{ hosts: ['fd00::/8'] }, 'ann', 'fd12::1'],
    [{ hosts: ['localhost'] }, 'ann', '127.0.0.1'],
    [{ hosts: ['10.0.0.9'] }, 'ann', '192.0.2.7', '10.0.0.9'],
    [{ hosts: ['192.0.2.7'] }, 'ann', '192.0.2.7', '10.0.0.9'],
  ])('%j lets %s from %s', async (...asked) => {
    await expect(check(...asked)).resolves.toBeUndefined()
  })

  test.each<[Partial<ProxyRule>, string?, string?]>([
    [{ users: [] }],
    [{ users: ['ANN'] }],
    [{ users: [], groups: ['dev'] }, 'bob'],
    [{ users: ['@dev'] }],
  ])('%j names not %s', async (...asked) => {
    await expect(check(...asked)).rejects.toThrow(/^User: knox is not allowed to impersonate (ann|bob)$/)
  })

  test.each<[Partial<ProxyRule>, string?, string?, string?]>([
    [{ hosts: [] }],
    [{ hosts: ['10.1.2.4', '11.0.0.0/8', 'nowhere.invalid'] }],
    [{ hosts: ['10.1.2.3'] }, 'ann', ''],
    [{ hosts: ['10.0.0.8'] }, 'ann', '192.0.2.7', '10.0.0.9'],
  ])('%j lets no user act from %s', async (...asked) => {
    await expect(check(...asked)).rejects.toThrow(/^Unauthorized connection for super-user: knox from IP /)
  })

  test('needs its user, and a user to act for', async () => {
    await expect(
      ruled({}).check('other', 'ann', { address: '10.1.2.3', via: undefined }),
    ).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    })
    await expect(check({}, '')).rejects.toMatchObject({ code: 'ILLEGAL_ARGUMENT', message: 'Null user' })
  })
})

test.each(['*', '10.0.0.1', '10.0.0.0/8', 'fd00::/8', 'gate-1.example.org'])(
  '%s may stand in a rule',
  (text) => {
    expect(isHost(text)).toBe(true)
  },
)

test.each(['', '10.0.0.0/33', '10.0.0.0/8/8', 'name/8', '10.0.0.0/', 'a b'])('%j may not', (text) => {
  expect(isHost(text)).toBe(false)
})
