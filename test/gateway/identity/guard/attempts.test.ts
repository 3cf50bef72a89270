import { beforeEach, expect, test } from 'vitest'
import { Attempts } from '../../../../src/gateway/identity/guard/passwords/attempts.ts'

let now: number
let attempts: Attempts

beforeEach(() => {
  now = 1000
  attempts = new Attempts(() => now)
})

function fail(name: string, address: string, times: number): void {
  for (let time = 0; time < times; time++) attempts.failed(name, address)
}

function waits(name: string, address: string): boolean {
  try {
    attempts.check(name, address)
    return false
  } catch (error) {
    expect(error).toMatchObject({ code: 'THROTTLED' })
    return true
  }
}

test('after five failures a user waits at his address, longer each time, and nowhere else', () => {
  fail('alice', 'a', 4)
  expect(waits('alice', 'a')).toBe(false)
  fail('alice', 'a', 1)
  expect(waits('alice', 'a')).toBe(true)
  expect([waits('alice', 'b'), waits('bob', 'a')]).toEqual([false, false])
  now += 1001
  expect(waits('alice', 'a')).toBe(false)
  fail('alice', 'a', 1)
  now += 1001
  expect(waits('alice', 'a')).toBe(true)
  now += 1000
  expect(waits('alice', 'a')).toBe(false)
  fail('alice', 'a', 20)
  now += 60_001
  expect(waits('alice', 'a')).toBe(false)
})

test('an address that tries many names waits with all of them, and a name that is tried from everywhere, too', () => {
  for (let user = 0; user < 30; user++) attempts.failed(`user${user}`, 'a')
  expect([waits('other', 'a'), waits('other', 'b')]).toEqual([true, false])
  for (let from = 0; from < 100; from++) attempts.failed('root', `address${from}`)
  expect([waits('root', 'another'), waits('alice', 'another')]).toEqual([true, false])
})

test('success and ten quiet minutes are forgiven', () => {
  fail('alice', 'a', 5)
  attempts.succeeded('alice', 'a')
  expect(waits('alice', 'a')).toBe(false)
  fail('alice', 'a', 5)
  now += 600_001
  attempts.failed('alice', 'a')
  expect(waits('alice', 'a')).toBe(false)
})
