/** Whoever guesses learns nothing from the time of an answer: the same work is done for a user who is there and for one who is not. */

import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Guard } from '../../src/gateway/identity/guard/guard.ts'
import { writeUser } from '../../src/gateway/identity/guard/passwords/users-file.ts'
import { PemFolder } from '../harness/certificates.ts'
import { placeFrom } from '../harness/login-place.ts'

const { scrypt } = crypto
/** The parameters of each hash. */
const hashed: string[] = []
let folder: PemFolder

function counted(...args: Parameters<typeof scrypt>): void {
  hashed.push(JSON.stringify(args.slice(2, -1)))
  scrypt(...args)
}

beforeAll(() => {
  folder = new PemFolder()
  Object.assign(crypto, { scrypt: counted })
  // Modules that import the function by its name see the other one then.
  syncBuiltinESMExports()
})

afterAll(() => {
  Object.assign(crypto, { scrypt })
  syncBuiltinESMExports()
  folder.remove()
})

test('an unknown user, a wrong password and an empty one cost one hash of the same parameters', async () => {
  const users = `${folder.path}/users`
  await writeUser(users, 'alice', 'her password')
  const guard = new Guard({ users, certificates: false }, pino({ level: 'silent' }))
  try {
    const work = async (name: string, password: string): Promise<string[]> => {
      hashed.length = 0
      const place = placeFrom('10.0.0.1', 'rest')
      const login = async (): Promise<unknown> => guard.ofPassword(name, password, place)
      const refused = await login().catch((error: Error) => error.message)
      expect(refused).toBe('the user or the password is wrong')
      return [...hashed]
    }
    const expected = await work('alice', 'a guess')
    expect(expected).toEqual([expect.stringContaining('"N":16384')])
    expect(await work('mallory', 'a guess')).toEqual(expected)
    expect(await work('alice', '')).toEqual(expected)
    expect(await work('mallory', '')).toEqual(expected)
  } finally {
    guard.close()
  }
})
