import { mkdtempSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ConnectionOrigin } from '../../../../src/gateway/connections/connection-origin.ts'
import { Guard } from '../../../../src/gateway/identity/guard/guard.ts'
import { removeUser, writeUser } from '../../../../src/gateway/identity/guard/passwords/users-file.ts'
import { ShownHeaders } from '../../../../src/gateway/identity/guard/shown-headers.ts'
import { placeFrom } from '../../../harness/login-place.ts'

let folder: string
let users: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-shown-'))
  users = join(folder, 'users')
})

afterEach(() => rmSync(folder, { recursive: true }))

function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
}

test('a header is known on its connection alone, until it expires, another one is right, or all are forgotten', () => {
  const header = fc.constantFrom('', 'Basic a', 'Basic b', 'Basic ab', 'basic a', 'Basic \u00e9')
  const step = fc.oneof(
    fc.record({ does: fc.constant('note' as const), connection: fc.nat(1), header, untilMs: fc.nat(9) }),
    fc.record({ does: fc.constant('ask' as const), connection: fc.nat(1), header, nowMs: fc.nat(9) }),
    fc.record({ does: fc.constant('clear' as const) }),
  )
  const judged = fc.property(fc.array(step), (steps) => {
    const connections = [new Socket(), new Socket()].map((socket) => ConnectionOrigin.of(socket))
    const shown = new ShownHeaders()
    const model = new Map<number, { header: string; user: string; untilMs: number }>()
    for (const [index, each] of steps.entries()) {
      if (each.does === 'clear') {
        shown.clear()
        model.clear()
      } else if (each.does === 'note') {
        const { connection, header, untilMs } = each
        const user = `user ${index}`
        shown.note(connections[connection]!, header, { principal: { user }, untilMs })
        model.set(connection, { header, user, untilMs })
      } else {
        const { connection, header, nowMs } = each
        const noted = model.get(connection)
        const isKnown = noted !== undefined && noted.header === header && nowMs < noted.untilMs
        const found = shown.principalOf(connections[connection]!, header, nowMs)
        expect(found?.user).toBe(isKnown ? noted.user : undefined)
      }
    }
  })
  fc.assert(judged)
})

test('a connection that came in is out once its user is removed, and each of its requests shows its own user', async () => {
  await writeUser(users, 'alice', 'her password')
  await writeUser(users, 'bob', 'his password')
  const guard = new Guard({ users, certificates: false }, pino({ level: 'silent' }))
  const place = placeFrom('10.0.0.1', 'rest')
  const userOf = async (authorization: string): Promise<string> => {
    const { user } = await guard.ofHttp({ headers: { authorization } }, place, { loginHeaders: undefined })
    return user
  }
  const [alice, bob] = [basic('alice', 'her password'), basic('bob', 'his password')]
  try {
    for (const _ of [1, 2, 3]) {
      await expect(userOf(alice)).resolves.toBe('alice')
      await expect(userOf(basic('alice', 'her passwore'))).rejects.toThrow(
        'the user or the password is wrong',
      )
      await expect(userOf(bob)).resolves.toBe('bob')
      await expect(userOf(alice)).resolves.toBe('alice')
    }
    removeUser(users, 'alice')
    await vi.waitFor(() => expect(userOf(alice)).rejects.toThrow('wrong'), { timeout: 20_000, interval: 50 })
    await expect(userOf(bob)).resolves.toBe('bob')
  } finally {
    guard.close()
  }
}, 60_000)
