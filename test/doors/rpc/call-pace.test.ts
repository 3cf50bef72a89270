import { expect, test } from 'vitest'
import { CallPace } from '../../../src/doors/rpc/call-pace.ts'

/** Begins as many calls as may, each answered at once by so many bytes. */
function beginAll(pace: CallPace, answerBytes: number): number {
  let begun = 0
  while (begun < 5000 && pace.mayBegin(0)) {
    pace.began()
    begun++
  }
  for (let i = 0; i < begun; i++) pace.answered(answerBytes)
  pace.turn()
  return begun
}

test('a connection begins one call, and more in each turn as long as answers are small', () => {
  const pace = new CallPace()
  expect(Array.from({ length: 10 }, () => beginAll(pace, 100))).toEqual([
    1, 2, 4, 8, 16, 32, 64, 128, 256, 256,
  ])
})

test('after large answers a turn begins one call', () => {
  const pace = new CallPace()
  for (let i = 0; i < 5; i++) beginAll(pace, 100)
  expect(beginAll(pace, 1_000_000)).toBe(32)
  expect([beginAll(pace, 2_000_000), beginAll(pace, 2_000_000)]).toEqual([1, 1])
})

test('calls whose answers will be large do not run beside many others', () => {
  const pace = new CallPace()
  expect(pace.mayBegin(900)).toBe(true)
  pace.answered(8_000_000)
  expect([0, 1, 2, 3].map((running) => pace.mayBegin(running))).toEqual([true, true, true, false])
})

test('a large answer counts before it is written', () => {
  const pace = new CallPace()
  for (let i = 0; i < 5; i++) beginAll(pace, 100)
  pace.expects(8_000_000)
  expect([1, 2, 3].map((running) => pace.mayBegin(running))).toEqual([true, true, false])
  pace.turn()
  expect(beginAll(pace, 100)).toBe(1)
})
