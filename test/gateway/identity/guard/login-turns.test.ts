import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { LoginTurns } from '../../../../src/gateway/identity/guard/passwords/login-turns.ts'

let turns: LoginTurns
/** In the order of their begin. */
let begun: string[]
let ends: (() => void)[]

beforeEach(() => {
  turns = new LoginTurns()
  begun = []
  ends = []
})

/** Resolves to the name, or to the words of the refusal. */
function check(network: string, name: string): Promise<string> {
  const work = turns.run(network, async () => {
    begun.push(name)
    await new Promise<void>((resolve) => ends.push(resolve))
    return name
  })
  return work.catch((error: unknown) => (error as Error).message)
}

/** Resolves once all that were begun meanwhile have ended, too. */
async function endAll(): Promise<void> {
  while (ends.length > 0) {
    ends.shift()!()
    await nextTurn()
  }
}

const REFUSED = 'too many logins at a time: try again'

test('one check runs at a time, and networks take turns', async () => {
  const work = [
    check('a', 'a1'),
    check('a', 'a2'),
    check('a', 'a3'),
    check('b', 'b1'),
    check('c', 'c1'),
    check('b', 'b2'),
  ]
  expect(begun).toEqual(['a1'])
  await endAll()
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
  expect(await Promise.all(work)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'b2'])
})

test('a check that fails lets the next one begin', async () => {
  const failed = turns.run('a', () => Promise.reject(new Error('wrong')))
  const next = check('a', 'next')
  await expect(failed).rejects.toThrow('wrong')
  await endAll()
  expect(await next).toBe('next')
})

test('where too many wait, a network of many loses its newest, and cannot take the place of others', async () => {
  const many = Array.from({ length: 65 }, (_, number) => check('many', `many ${number}`))
  const beyond = check('many', 'beyond')
  const few = [check('few', 'few 0'), check('few', 'few 1')]
  const again = check('many', 'again')
  await endAll()
  expect(await Promise.all([beyond, again])).toEqual([REFUSED, REFUSED])
  expect(await Promise.all(few)).toEqual(['few 0', 'few 1'])
  expect(begun.indexOf('few 0')).toBeLessThan(3)
  const refused = (await Promise.all(many)).map((outcome) => outcome === REFUSED)
  expect(refused.slice(0, 63)).not.toContain(true)
  expect(refused.slice(63)).toEqual([true, true])
})

test('networks that wait for as much each keep their places', async () => {
  const all = Array.from({ length: 65 }, (_, number) => check(`network ${number}`, `${number}`))
  const beyond = check('another', 'beyond')
  await endAll()
  expect(await beyond).toBe(REFUSED)
  expect(await Promise.all(all)).not.toContain(REFUSED)
})
