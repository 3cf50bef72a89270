import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Kdc } from '../harness/kerberos/kdc.ts'

let folder: string
let kdc: Kdc

const cache = (name: string): string => join(folder, `${name}.cache`)
const keytab = (name: string): string => join(folder, `${name}.keytab`)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kdc-test-'))
  kdc = await Kdc.start({ otherRealm: true })
  await kdc.addPrincipal('alice', { password: 'a secret' })
  await kdc.addPrincipal('bob', { keytab: keytab('bob') }, { lifeSeconds: 120 })
  await kdc.addPrincipal('HTTP/localhost', { keytab: keytab('http') })
  await kdc.addPrincipal('zoe@OTHER.TEST', { password: 'her secret' })
})

afterAll(async () => {
  await kdc?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Gives bob a ticket, and returns the seconds of its life. */
async function life(seconds?: number): Promise<number> {
  const options = seconds === undefined ? {} : { lifeSeconds: seconds }
  await kdc.kinit(cache('bob'), 'bob', { keytab: keytab('bob') }, options)
  const times = /^(\S+ \S+) {2}(\S+ \S+) {2}krbtgt/m.exec(await kdc.klist(cache('bob')))
  return (Date.parse(times![2]!) - Date.parse(times![1]!)) / 1000
}

describe('the KDC of the tests', () => {
  test('gives a ticket for a password, and refuses a wrong one', async () => {
    await kdc.kinit(cache('alice'), 'alice', { password: 'a secret' })
    expect(await kdc.klist(cache('alice'))).toContain('alice@TIDEGATE.TEST')
    await expect(kdc.kinit(cache('alice'), 'alice', { password: 'another' })).rejects.toThrow(
      'Password incorrect',
    )
  })

  test('gives a ticket for a keytab, and refuses the keytab of an older key', async () => {
    await kdc.addPrincipal('carol', { keytab: keytab('carol') })
    await kdc.kinit(cache('carol'), 'carol', { keytab: keytab('carol') })
    await kdc.changeKey('carol')
    await expect(kdc.kinit(cache('carol'), 'carol', { keytab: keytab('carol') })).rejects.toThrow(/kinit/)
  })

  test('ends a ticket after the life that the client or the principal has', async () => {
    expect(await life()).toBe(120)
    expect(await life(20)).toBe(20)
  })

  test('gives tickets for a service to users of both realms', async () => {
    await kdc.kinit(cache('zoe'), 'zoe@OTHER.TEST', { password: 'her secret' })
    for (const user of ['alice', 'zoe'])
      expect(await kdc.run('kvno', ['-c', cache(user), 'HTTP/localhost@TIDEGATE.TEST'])).toContain('kvno = 1')
  })

  test('goes away, and comes back on its port with its principals', async () => {
    await kdc.stop()
    await expect(kdc.kinit(cache('alice'), 'alice', { password: 'a secret' })).rejects.toThrow(
      'Cannot contact any KDC',
    )
    await kdc.restart()
    await kdc.kinit(cache('alice'), 'alice', { password: 'a secret' })
  })

  test('refuses a client whose clock is wrong, and gives tickets of another day where its own is', async () => {
    const day = 86_400
    await expect(
      kdc.kinit(cache('bob'), 'bob', { keytab: keytab('bob') }, { clockOffsetSeconds: -day }),
    ).rejects.toThrow('Clock skew too great')
    await kdc.restart(-day)
    await kdc.kinit(cache('bob'), 'bob', { keytab: keytab('bob') }, { clockOffsetSeconds: -day })
    const ended = /^\S+ \S+ {2}(\S+ \S+) {2}krbtgt/m.exec(await kdc.klist(cache('bob')))
    expect(Date.parse(ended![1]!)).toBeLessThan(Date.now())
    await kdc.restart()
  })
})
