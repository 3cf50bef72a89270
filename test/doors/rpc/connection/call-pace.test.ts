import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CallPace } from '../../../../src/doors/rpc/connection/call-pace.ts'

/** Begins as many calls as the pace allows. Each is answered at once by so many bytes. */
function beginAll(pace: CallPace, answerBytes: number): number {
  let begun = 0
  while (begun < 5000 && pace.mayBegin(0)) {
    pace.began()
    begun++
  }
  for (let i = 0; i < begun; i++) pace.answered(answerBytes)
  pace.turn(0)
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
  pace.turn(0)
  expect(beginAll(pace, 100)).toBe(1)
})

/** Number of turns until a call may begin beside so many running calls. */
function turnsUntilNext(pace: CallPace, running: number): number {
  let turns = 1
  while (!pace.turn(running)) turns++
  return turns
}

test('as long as nothing is answered, one call begins after as many turns as there are calls', () => {
  const pace = new CallPace()
  const waits: number[] = []
  for (let running = 1; running <= 6; running++) {
    expect(pace.mayBegin(running - 1)).toBe(true)
    pace.began()
    expect(pace.mayBegin(running)).toBe(false)
    waits.push(turnsUntilNext(pace, running))
  }
  expect(waits).toEqual([1, 2, 3, 4, 5, 6])
  pace.answered(100)
  expect([pace.turn(5), beginAll(pace, 100)]).toEqual([true, 2])
})

test('a fast connection begins half as many calls behind each turn without an answer', () => {
  const pace = new CallPace()
  for (let i = 0; i < 5; i++) beginAll(pace, 100)
  const begun: number[] = []
  let running = 0
  for (let turn = 0; turn < 5; turn++) {
    let began = 0
    for (; pace.mayBegin(running); began++, running++) pace.began()
    begun.push(began)
    pace.turn(running)
  }
  expect(begun).toEqual([32, 16, 8, 4, 2])
  pace.answered(100)
  expect(pace.turn(running - 1)).toBe(true)
})

test('calls whose answers never come keep no other call waiting for good', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(40), { maxLength: 60 }), (answers) => {
      const pace = new CallPace()
      let running = 0
      for (const answered of answers) {
        for (; pace.mayBegin(running); running++) pace.began()
        for (let i = 0; i < Math.min(answered, running); i++) pace.answered(100)
        running -= Math.min(answered, running)
        expect(turnsUntilNext(pace, running)).toBeLessThanOrEqual(Math.max(1, running))
      }
    }),
  )
})
